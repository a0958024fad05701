package dev.jitney.model.property;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.Limits;
import dev.jitney.model.Rejection;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One property of one kind of entity: its getter and setter, and its place in a row, in an Atom entry and in
 * the configuration file. Constant once the table is made; any thread may
 * use it.
 *
 * @param <D> the description
 */
public final class EntityProperty<D extends EntityDescription> {
    /** The position of what is not there. */
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

    // The table is written with the classes of values and builders, and used without them.
    @SuppressWarnings("unchecked")
    <V extends @Nullable Object, B extends EntityDescription.Builder<D>> EntityProperty(
            PropertySpec<V> spec, Function<D, V> getter, BiFunction<B, V, B> setter) {
        this.spec = (PropertySpec<@Nullable Object>) spec;
        this.getter = (Function<D, @Nullable Object>) getter;
        this.setter = (BiFunction<EntityDescription.Builder<D>, @Nullable Object, ?>) (BiFunction<?, ?, ?>) setter;
        this.keptWhenOmitted = spec.isFixed();
    }

    // --- declaration, in QueueProperties and its like only ---

    /**
     * Where it stands, counted from 1 without gaps among the properties of its kind.
     *
     * @param rowPosition its place in the row ({@code docs/formats.md}), which lasts for ever
     * @param atomPosition its place in an Atom entry; older .NET clients insist on the order
     * @param memberPosition its place among the members of the configuration file, which decides on what is reported first;
     *     {@link #NONE} if it has no member
     */
    EntityProperty<D> at(int rowPosition, int atomPosition, int memberPosition) {
        row = rowPosition;
        atom = atomPosition;
        member = memberPosition;
        return this;
    }

    /** The first version of the row that has the field; in older rows it had the default. */
    EntityProperty<D> sinceRow(int version) {
        rowVersion = version;
        return this;
    }

    /** A change that leaves the element out leaves the value as it is, instead of setting the default. */
    EntityProperty<D> keptWhenOmitted() {
        keptWhenOmitted = true;
        return this;
    }

    /** Judges the description for this property, in place of the value alone. */
    EntityProperty<D> check(PropertySpec.Check<D> value) {
        check = value;
        return this;
    }

    /**
     * The BASIC tier has the default only.
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

    /** Its meaning in every kind of entity. */
    public PropertySpec<@Nullable Object> spec() {
        return spec;
    }

    /** Whether it is that property. */
    public boolean is(PropertySpec<?> other) {
        return (Object) spec == other;
    }

    /** The value in a description; its class is that of the {@link PropertyType}. */
    public @Nullable Object get(D description) {
        return getter.apply(description);
    }

    /**
     * Sets the value in a description to be built.
     *
     * @param value of the class of the {@link PropertyType}; null only where the type allows it
     */
    public void set(EntityDescription.Builder<D> builder, @Nullable Object value) {
        Object unused = setter.apply(builder, value); // builders return themselves
    }

    /** Position in the row. */
    public int row() {
        return row;
    }

    /** The first version of the row that has the field. */
    public int rowVersion() {
        return rowVersion;
    }

    /** Position among the properties of an Atom entry. */
    public int atom() {
        return atom;
    }

    /** Position among the members of the configuration file, 0 if it has none. */
    public int member() {
        return member;
    }

    /** Whether an Atom entry without the element leaves the value as it is; otherwise it sets the default. */
    public boolean isKeptWhenOmitted() {
        return keptWhenOmitted;
    }

    /** Why the description may not have this value of the property, or null. */
    public @Nullable Rejection refuse(D description, Limits limits) {
        return check != null ? check.refuse(description, limits) : spec.refuse(getter.apply(description), limits);
    }

    /**
     * Why the BASIC tier does not have the property with this value, or null (QUOTA-10).
     *
     * @param usual the default
     */
    @Nullable
    Rejection refuseInBasic(@Nullable Object value, @Nullable Object usual) {
        return basicFeature.isEmpty() || Objects.equals(value, usual)
                ? null
                : PropertyChecks.notInBasic(basicFeature, spec.name(), basicValue);
    }

    /** Why the property of an entity of that kind may not change from this value, or null if it may (ENT-1). */
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
