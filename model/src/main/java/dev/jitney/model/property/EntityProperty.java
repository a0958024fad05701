package dev.jitney.model.property;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.Limits;
import dev.jitney.model.Rejection;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One property of one kind of entity: its getter and setter, and its position in a row, in an Atom entry and in the
 * configuration file. Constant after the table is built; any thread may use it.
 *
 * @param <D> the type of description
 */
public final class EntityProperty<D extends EntityDescription> {
    /** The position of a property in a form that does not contain it. */
    static final int NONE = 0;

    private final PropertySpec<@Nullable Object> spec;
    private final Function<D, @Nullable Object> getter;
    private final BiFunction<EntityDescription.Builder<D>, @Nullable Object, ?> setter;
    private int row;
    private int rowVersion = 1;
    private int atom;
    private int member;
    private boolean keptWhenOmitted;
    private PropertySpec.@Nullable Check<D> check;
    private String basicFeature = "";
    private String basicValue = "";

    // The table is declared with the classes of values and builders, and used without them.
    @SuppressWarnings("unchecked")
    <V extends @Nullable Object, B extends EntityDescription.Builder<D>> EntityProperty(
            PropertySpec<V> spec, Function<D, V> getter, BiFunction<B, V, B> setter) {
        this.spec = (PropertySpec<@Nullable Object>) spec;
        this.getter = (Function<D, @Nullable Object>) getter;
        this.setter = (BiFunction<EntityDescription.Builder<D>, @Nullable Object, ?>) (BiFunction<?, ?, ?>) setter;
        this.keptWhenOmitted = spec.isFixed();
    }

    // --- declaration, only in QueueProperties, TopicProperties and SubscriptionProperties ---

    /**
     * Sets the positions among the properties of the kind, counted from 1 without gaps.
     *
     * @param rowPosition position in the row ({@code docs/formats.md}), which never changes
     * @param atomPosition position in an Atom entry; older .NET clients require the order
     * @param memberPosition position among the members of the configuration file, which decides on the error that is
     *     reported first; {@link #NONE} if the property has no member
     */
    EntityProperty<D> at(int rowPosition, int atomPosition, int memberPosition) {
        row = rowPosition;
        atom = atomPosition;
        member = memberPosition;
        return this;
    }

    /** Sets the first version of the row that has the field. Older rows imply the default. */
    EntityProperty<D> sinceRow(int version) {
        rowVersion = version;
        return this;
    }

    /** Keeps the current value when an update omits the element, instead of setting the default. */
    EntityProperty<D> keptWhenOmitted() {
        keptWhenOmitted = true;
        return this;
    }

    /** Replaces the check of the value by a check of the whole description. */
    EntityProperty<D> check(PropertySpec.Check<D> value) {
        check = value;
        return this;
    }

    /**
     * Restricts the BASIC tier to the default.
     *
     * @param feature the feature that the tier does not have, for a sentence
     * @param allowed the default, for a sentence
     */
    EntityProperty<D> notInBasic(String feature, String allowed) {
        basicFeature = feature;
        basicValue = allowed;
        return this;
    }

    // --- use ---

    /** Returns the meaning of the property in every kind of entity. */
    public PropertySpec<@Nullable Object> spec() {
        return spec;
    }

    /** Returns whether this is that property. */
    public boolean is(PropertySpec<?> other) {
        return (Object) spec == other;
    }

    /** Returns the value in a description; its class is that of the {@link PropertyType}. */
    public @Nullable Object get(D description) {
        return getter.apply(description);
    }

    /**
     * Sets the value in the builder of a description.
     *
     * @param value of the class of the {@link PropertyType}; null only if the type allows it
     */
    public void set(EntityDescription.Builder<D> builder, @Nullable Object value) {
        Object unused = setter.apply(builder, value); // builders return themselves
    }

    /** Returns the position in the row. */
    public int row() {
        return row;
    }

    /** Returns the first version of the row that has the field. */
    public int rowVersion() {
        return rowVersion;
    }

    /** Returns the position among the properties of an Atom entry. */
    public int atom() {
        return atom;
    }

    /** Returns the position among the members of the configuration file, or 0 if the property has none. */
    public int member() {
        return member;
    }

    /** Returns whether an Atom entry without the element keeps the current value; otherwise it sets the default. */
    public boolean isKeptWhenOmitted() {
        return keptWhenOmitted;
    }

    /** Checks the value of the property in a description. Returns null if it is valid. */
    public @Nullable Rejection refuse(D description, Limits limits) {
        return check != null ? check.refuse(description, limits) : spec.refuse(getter.apply(description), limits);
    }

    /**
     * Checks whether the BASIC tier has the property with this value (QUOTA-10). Returns null if it does.
     *
     * @param usual the default
     */
    @Nullable
    Rejection refuseInBasic(@Nullable Object value, @Nullable Object usual) {
        return basicFeature.isEmpty() || Objects.equals(value, usual)
                ? null
                : PropertyChecks.notInBasic(basicFeature, spec.name(), basicValue);
    }

    /**
     * Checks whether the property of an entity of that kind can change from this value (ENT-1). Returns null if it can.
     */
    @Nullable
    Rejection refuseChange(String kind, String path, @Nullable Object old) {
        if (!spec.isFixed()) {
            return null;
        }
        return is(PropertySpecs.ENABLE_PARTITIONING)
                ? PropertyChecks.partitioningFixed(kind, path, Boolean.TRUE.equals(old))
                : PropertyChecks.fixed(spec.name(), kind, path);
    }
}
