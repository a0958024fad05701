package dev.jitney.gateway.http.operator.administration;

import dev.jitney.gateway.http.atom.ApiVersion;
import dev.jitney.gateway.http.atom.Dialect;
import dev.jitney.gateway.http.operator.request.FieldErrors;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.IsoDurations;
import dev.jitney.model.Rejection;
import dev.jitney.model.property.EntityProperty;
import dev.jitney.model.property.EntityTable;
import dev.jitney.model.property.PropertySpec;
import dev.jitney.model.property.PropertySpecs;
import dev.jitney.model.property.PropertyType;
import dev.jitney.runtime.Namespace;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one kind of entity as JSON. The names are those of Service Bus with a small first letter, durations are in ISO 8601, and
 * destinations of forwarding are paths. Access rules are no settings, because they have keys. Immutable; any thread may use it.
 *
 * @param <D> the type of description
 */
final class EntitySettings<D extends EntityDescription> {
    private static final int DESTINATION_CHARACTERS_MAX = 260;

    /** A value of a wrong type or form. Null is a value. */
    private static final Object WRONG = new Object();

    private final EntityTable<D> table;
    private final Namespace namespace;
    private final Dialect dialect;

    private EntitySettings(EntityTable<D> table, Namespace namespace) {
        this.table = table;
        this.namespace = namespace;
        this.dialect = new Dialect(ApiVersion.NEWEST, namespace.limits(), namespace.partitioning(), namespace.name());
    }

    /** Returns the settings of entities of the same kind. */
    static <D extends EntityDescription> EntitySettings<D> of(D description, Namespace namespace) {
        return new EntitySettings<>(EntityTable.of(description), namespace);
    }

    /** Returns the name of a property in JSON. */
    static String name(PropertySpec<?> spec) {
        return spec.name().substring(0, 1).toLowerCase(Locale.ROOT)
                + spec.name().substring(1);
    }

    /** Returns the properties that are settings, in the order of Service Bus. */
    static <D extends EntityDescription> List<EntityProperty<D>> properties(EntityTable<D> table) {
        return table.inAtom().stream()
                .filter(property -> property.spec().type() != PropertyType.ACCESS_RULES)
                .toList();
    }

    JsonObject document(D description) {
        JsonObject document = new JsonObject();
        for (EntityProperty<D> property : properties(table)) {
            document.put(name(property.spec()), shown(property, description));
        }
        return document;
    }

    /** Returns the value of a property in JSON, or null for none. */
    @Nullable
    Object shown(EntityProperty<D> property, D description) {
        Object value = property.get(description);
        return switch (property.spec().type()) {
            case DURATION, TIME_TO_LIVE -> IsoDurations.format((Long) present(value));
            case MEGABYTES -> dialect.shownMegabytes((Long) present(value), description.enablePartitioning());
            case KILOBYTES -> dialect.shownKilobytes((Long) value);
            case DESTINATION -> value == null ? null : path((String) value);
            case STATUS -> ((EntityStatus) present(value)).word();
            case FLAG, COUNT, TEXT, ACCESS_RULES -> value;
        };
    }

    /** Returns the path of a destination, which clients of Service Bus write as a URL. */
    private static String path(String destination) {
        return EntityAddress.parse(destination.contains("://") ? destination : "/" + destination)
                .path();
    }

    private static Object present(@Nullable Object value) {
        return Objects.requireNonNull(value, "a value that is always present");
    }

    /**
     * Reads settings, and checks those that are given.
     *
     * @param base the description to begin with: a new one with its name only, or the current one
     * @param stored the entity to change, or null for a new one
     * @param members the settings by name; null sets the default
     * @param others members of the request that are no settings
     * @param errors gets an error for each setting that is wrong
     */
    D read(D base, @Nullable D stored, Map<String, @Nullable Object> members, Set<String> others, FieldErrors errors) {
        EntityDescription.Builder<D> builder = table.toBuilder(base);
        Set<String> known = new TreeSet<>(others);
        boolean partitioned = isPartitioned(stored, members);
        for (EntityProperty<D> property : properties(table)) {
            String name = name(property.spec());
            known.add(name);
            if (property.is(PropertySpecs.ENABLE_PARTITIONING) && stored == null) {
                property.set(builder, partitioned);
            }
            if (members.containsKey(name)) {
                Object value = members.get(name);
                Object read = value == null
                        ? initial(property)
                        : read(property, value, stored == null ? null : property.get(stored), partitioned, errors);
                if (!errors.has(name)) {
                    property.set(builder, read);
                }
            }
        }
        String kind = table.kind().word().toLowerCase(Locale.ROOT);
        for (String member : members.keySet()) {
            if (!known.contains(member)) {
                errors.add(member, "A " + kind + " has no setting of this name. Expected one of " + known + ".");
            }
        }
        D description = builder.build();
        check(stored, description, members.keySet(), errors);
        return description;
    }

    private boolean isPartitioned(@Nullable D stored, Map<String, @Nullable Object> members) {
        Object given = members.get(name(PropertySpecs.ENABLE_PARTITIONING));
        if (given instanceof Boolean flag) {
            return flag;
        }
        return stored == null ? dialect.partitionsByDefault() : stored.enablePartitioning();
    }

    /**
     * Returns a description with the values of a new entity that sets nothing.
     *
     * @param defaults a description with every default of the table
     */
    D initial(D defaults) {
        EntityDescription.Builder<D> builder = table.toBuilder(defaults);
        table.properties().stream()
                .filter(property -> property.is(PropertySpecs.ENABLE_PARTITIONING))
                .forEach(property -> property.set(builder, dialect.partitionsByDefault()));
        return builder.build();
    }

    private @Nullable Object initial(EntityProperty<D> property) {
        return property.is(PropertySpecs.ENABLE_PARTITIONING)
                ? (Object) dialect.partitionsByDefault()
                : table.defaultOf(property);
    }

    private @Nullable Object read(
            EntityProperty<D> property,
            Object value,
            @Nullable Object stored,
            boolean partitioned,
            FieldErrors errors) {
        Object read = switch (property.spec().type()) {
            case FLAG -> value instanceof Boolean ? value : WRONG;
            case DURATION -> value instanceof String text ? duration(text, false) : WRONG;
            case TIME_TO_LIVE -> value instanceof String text ? duration(text, true) : WRONG;
            case COUNT -> value instanceof Integer ? value : WRONG;
            case MEGABYTES ->
                isWhole(value)
                        ? dialect.meantMegabytes(((Number) value).longValue(), partitioned, (Long) stored)
                        : WRONG;
            case KILOBYTES ->
                isWhole(value) ? dialect.meantKilobytes(((Number) value).longValue(), (Long) stored) : WRONG;
            case TEXT -> value instanceof String text && isPlain(text) ? text : WRONG;
            case DESTINATION -> value instanceof String text && isDestination(text) ? text : WRONG;
            case STATUS -> {
                EntityStatus status = value instanceof String text ? EntityStatus.ofWord(text) : null;
                yield status == null ? WRONG : status;
            }
            case ACCESS_RULES -> throw new IllegalStateException("Expected a setting, but got access rules.");
        };
        if (read == WRONG) {
            errors.expected(name(property.spec()), expected(property.spec().type()), value);
        }
        return read;
    }

    private static String expected(PropertyType type) {
        return switch (type) {
            case FLAG -> "true or false";
            case DURATION, TIME_TO_LIVE -> "an ISO 8601 duration such as PT1M or P14D";
            case COUNT -> "a whole number of 32 bits";
            case MEGABYTES, KILOBYTES -> "a whole number";
            case TEXT -> "text without control characters, or null,";
            case DESTINATION -> "the path of a queue or topic, or null,";
            case STATUS -> "Active, Disabled, SendDisabled or ReceiveDisabled";
            case ACCESS_RULES -> "nothing";
        };
    }

    /** Returns whether XML can express a text, because the administration API shows it too. */
    private static boolean isPlain(String text) {
        return text.chars().allMatch(c -> c >= ' ' || c == '\n' || c == '\t' || c == '\r')
                && StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private static boolean isWhole(Object value) {
        return value instanceof Integer || value instanceof Long;
    }

    private static Object duration(String text, boolean timeToLive) {
        try {
            return timeToLive ? IsoDurations.parseTimeToLiveMs(text) : IsoDurations.parseMs(text);
        } catch (IllegalArgumentException malformed) {
            return WRONG;
        }
    }

    private static boolean isDestination(String text) {
        return !text.isEmpty() && text.length() <= DESTINATION_CHARACTERS_MAX && !text.contains("://");
    }

    /**
     * Checks the given settings with the checks of the broker, which checks the whole description again. The defaults of a tier are not
     * known here, so other settings are left to the broker.
     */
    private void check(@Nullable D stored, D description, Set<String> given, FieldErrors errors) {
        Map<EntityProperty<D>, Rejection> refusals = table.refusals(stored, description, namespace.limits());
        if (stored != null) {
            add(table.refusedChanges(stored, description), given, errors);
        } else {
            Rejection partitioning = namespace
                    .partitioning()
                    .refuse(description.enablePartitioning(), namespace.limits().tier());
            String name = name(PropertySpecs.ENABLE_PARTITIONING);
            if (partitioning != null && given.contains(name)) {
                errors.add(name, partitioning.description());
            }
        }
        add(refusals, given, errors);
    }

    private void add(Map<EntityProperty<D>, Rejection> refusals, Set<String> given, FieldErrors errors) {
        refusals.forEach((property, refusal) -> {
            if (given.contains(name(property.spec()))) {
                errors.add(name(property.spec()), refusal.description());
            }
        });
    }

    /** Returns the description with other access rules. */
    D withAccessRules(D description, List<?> rules) {
        EntityDescription.Builder<D> builder = table.toBuilder(description);
        table.properties().stream()
                .filter(property -> property.spec().type() == PropertyType.ACCESS_RULES)
                .forEach(property -> property.set(builder, rules));
        return builder.build();
    }
}
