package dev.jitney.model.property;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityKind;
import dev.jitney.model.Limits;
import dev.jitney.model.Rejection;
import dev.jitney.model.TierProfile;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The properties of one kind of entity, in every order that is needed. Constant; any thread may use it.
 *
 * @param <D> the type of description
 */
public final class EntityTable<D extends EntityDescription> {
    private final EntityKind kind;
    private final D defaults;
    private final Function<D, EntityDescription.Builder<D>> toBuilder;
    private final List<EntityProperty<D>> properties;
    private final List<EntityProperty<D>> inRow;
    private final List<EntityProperty<D>> inAtom;
    private final List<EntityProperty<D>> inFile;

    /**
     * Creates the table.
     *
     * @param defaults a description with every default
     * @param properties in the order in which they are checked
     */
    EntityTable(D defaults, Function<D, EntityDescription.Builder<D>> toBuilder, List<EntityProperty<D>> properties) {
        this.kind = defaults.kind();
        this.defaults = defaults;
        this.toBuilder = toBuilder;
        this.properties = properties;
        this.inRow = ordered(EntityProperty::row);
        this.inAtom = ordered(EntityProperty::atom);
        this.inFile = ordered(EntityProperty::member);
    }

    /** Returns the properties of that kind of description. */
    @SuppressWarnings("unchecked") // each kind of description has one table
    public static <D extends EntityDescription> EntityTable<D> of(D description) {
        return (EntityTable<D>) of(description.kind());
    }

    /** Returns the properties of that kind of entity. */
    public static EntityTable<?> of(EntityKind kind) {
        return switch (kind) {
            case QUEUE -> QueueProperties.TABLE;
            case TOPIC -> TopicProperties.TABLE;
            case SUBSCRIPTION -> SubscriptionProperties.TABLE;
        };
    }

    /** Returns the version of the rows of entities: the highest version that a field of any kind requires. */
    public static int rowVersion() {
        int version = 1;
        for (EntityKind kind : EntityKind.values()) {
            for (EntityProperty<?> property : of(kind).properties) {
                version = Math.max(version, property.rowVersion());
            }
        }
        return version;
    }

    public EntityKind kind() {
        return kind;
    }

    /** Returns all properties, in the order in which they are checked. */
    public List<EntityProperty<D>> properties() {
        return properties;
    }

    /** Returns the properties in the order of the row, in which they follow the names. */
    public List<EntityProperty<D>> inRow() {
        return inRow;
    }

    /**
     * Returns the properties in the order of the elements of an Atom entry. Elements that are not properties are not
     * included.
     */
    public List<EntityProperty<D>> inAtom() {
        return inAtom;
    }

    /** Returns the properties in the order of the members of the configuration file. */
    public List<EntityProperty<D>> inFile() {
        return inFile;
    }

    /** Returns the value in a new entity that does not set the property. */
    public @Nullable Object defaultOf(EntityProperty<D> property) {
        return property.get(defaults);
    }

    public EntityDescription.Builder<D> toBuilder(D description) {
        return toBuilder.apply(description);
    }

    /** Returns the same description with the defaults of the emulator's file, where they differ (HTTP reference 4.1). */
    public D withEmulatorDefaults(D description) {
        EntityDescription.Builder<D> builder = toBuilder.apply(description);
        for (EntityProperty<D> property : properties) {
            Object value = property.spec().emulatorDefault();
            if (value != null) {
                property.set(builder, value);
            }
        }
        return builder.build();
    }

    /** Checks whether an update changes a property that is fixed at creation (ENT-1). Returns null if it does not. */
    public @Nullable Rejection refuseChange(D old, D changed) {
        return first(refusedChanges(old, changed));
    }

    /** Returns the refusal of each property that an update changes although it is fixed at creation (ENT-1), in the order of the checks. */
    public Map<EntityProperty<D>, Rejection> refusedChanges(D old, D changed) {
        Map<EntityProperty<D>, Rejection> refusals = new LinkedHashMap<>();
        for (EntityProperty<D> property : properties) {
            if (!Objects.equals(property.get(old), property.get(changed))) {
                add(
                        refusals,
                        property,
                        property.refuseChange(kind.word().toLowerCase(Locale.ROOT), old.path(), property.get(old)));
            }
        }
        return refusals;
    }

    /**
     * Checks all properties of a description. Returns null if they are valid. Quotas are checked first, then the features
     * of the tier, then all other properties.
     *
     * @param old the entity to update, or null for a new one; an unchanged quota stays valid even if the limits have
     *     changed since
     */
    public @Nullable Rejection refuse(@Nullable D old, D description, Limits limits) {
        return first(refusals(old, description, limits));
    }

    /**
     * Returns the first refusal of each property that is not valid, in the order of {@link #refuse}.
     *
     * @param old the entity to update, or null for a new one
     */
    public Map<EntityProperty<D>, Rejection> refusals(@Nullable D old, D description, Limits limits) {
        Map<EntityProperty<D>, Rejection> refusals = new LinkedHashMap<>();
        for (EntityProperty<D> property : properties) {
            if (property.spec().isQuota()
                    && (old == null || !Objects.equals(property.get(old), property.get(description)))) {
                add(refusals, property, property.refuse(description, limits));
            }
        }
        for (EntityProperty<D> property : properties) {
            if (limits.tier() == TierProfile.BASIC) {
                add(refusals, property, property.refuseInBasic(property.get(description), defaultOf(property)));
            }
        }
        for (EntityProperty<D> property : properties) {
            if (!property.spec().isQuota()) {
                add(refusals, property, property.refuse(description, limits));
            }
        }
        return refusals;
    }

    private static <D extends EntityDescription> void add(
            Map<EntityProperty<D>, Rejection> refusals, EntityProperty<D> property, @Nullable Rejection refusal) {
        if (refusal != null) {
            refusals.putIfAbsent(property, refusal);
        }
    }

    private static @Nullable Rejection first(Map<?, Rejection> refusals) {
        return refusals.isEmpty() ? null : refusals.values().iterator().next();
    }

    private List<EntityProperty<D>> ordered(ToIntFunction<EntityProperty<D>> position) {
        List<EntityProperty<D>> ordered = properties.stream()
                .filter(property -> position.applyAsInt(property) > 0)
                .sorted(Comparator.comparingInt(position))
                .toList();
        if (!IntStream.rangeClosed(1, ordered.size()).allMatch(i -> position.applyAsInt(ordered.get(i - 1)) == i)) {
            throw new IllegalStateException("Expected positions from 1 without gaps in the properties of a "
                    + kind.word() + ", but got "
                    + ordered.stream().mapToInt(position).boxed().toList() + ".");
        }
        return ordered;
    }
}
