package dev.jitney.model.property;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.IsoDurations;
import dev.jitney.model.Limits;
import dev.jitney.model.Rejection;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a property in every kind of entity that has it: name, type, range and check. Filled in while
 * {@link PropertySpecs} are made, and constant from then on, so that any thread may read it.
 *
 * @param <V> class of the value
 */
public final class PropertySpec<V extends @Nullable Object> {
    private final String name;
    private final PropertyType type;
    private final String meaning;
    private String element;
    private String since = "";
    private String unit = "";
    private @Nullable Range range;
    private @Nullable Range emulatorRange;
    private @Nullable V emulatorDefault;
    private boolean inEmulator;
    private boolean fixed;
    private boolean quota;
    private @Nullable Check<V> check;

    /**
     * The values allowed, both ends included: milliseconds, a number, or the length of a text in UTF-16 units.
     */
    public record Range(long min, long max) {
        boolean contains(long value) {
            return value >= min && value <= max;
        }
    }

    /** Judges a value, or a description for the sake of one property. */
    @FunctionalInterface
    interface Check<T extends @Nullable Object> {
        /** The reason against it, or null. */
        @Nullable
        Rejection refuse(T value, Limits limits);
    }

    /**
     * @param name as Service Bus has it, in refusals and, unless {@link #element(String)} says otherwise, outside
     * @param meaning a sentence for the reference page
     */
    PropertySpec(String name, PropertyType type, String meaning) {
        this.name = name;
        this.type = type;
        this.meaning = meaning;
        this.element = name;
    }

    // --- declaration, in PropertySpecs only ---

    /** Atom element and member of the file, where they are not called as the property. */
    PropertySpec<V> element(String value) {
        element = value;
        return this;
    }

    /** The first {@code api-version} whose clients know the element. */
    PropertySpec<V> since(String apiVersion) {
        since = apiVersion;
        return this;
    }

    PropertySpec<V> range(long min, long max) {
        range = new Range(min, max);
        return this;
    }

    /** The word behind the ends of the range in a refusal, {@code deliveries}. */
    PropertySpec<V> unit(String word) {
        unit = " " + word;
        return this;
    }

    /** The emulator's file has it too. */
    PropertySpec<V> inEmulator() {
        inEmulator = true;
        return this;
    }

    /**
     * The emulator's file has it too, with a range and a default of its own (HTTP reference 4.1).
     *
     * @param value the default of a new entity of the file, in strict mode or not; null for the usual one
     */
    PropertySpec<V> inEmulator(long min, long max, @Nullable V value) {
        inEmulator = true;
        emulatorRange = new Range(min, max);
        emulatorDefault = value;
        return this;
    }

    /** Only a creation can set it (ENT-1). */
    PropertySpec<V> fixed() {
        fixed = true;
        return this;
    }

    /** It is held against limits that may have changed since: a value that stays as it is may stay. */
    PropertySpec<V> quota() {
        quota = true;
        return this;
    }

    /** Judges the value in place of the comparison with the range. */
    PropertySpec<V> check(Check<V> value) {
        check = value;
        return this;
    }

    /** The property in one kind of entity. */
    <D extends EntityDescription, B extends EntityDescription.Builder<D>> EntityProperty<D> of(
            Function<D, V> getter, BiFunction<B, V, B> setter) {
        return new EntityProperty<>(this, getter, setter);
    }

    // --- use ---

    /** The name in refusals. */
    public String name() {
        return name;
    }

    /** The name of the Atom element and of the member of the configuration file. */
    public String element() {
        return element;
    }

    public PropertyType type() {
        return type;
    }

    /** A sentence for the reference page. */
    public String meaning() {
        return meaning;
    }

    /** The first {@code api-version} whose clients know the element; empty if all do. */
    public String since() {
        return since;
    }

    /** The values that the configuration file takes; null if it takes any. */
    public @Nullable Range range() {
        return range;
    }

    /** The values that the file may have in strict mode; null if it may have any. */
    public @Nullable Range strictRange() {
        return emulatorRange == null ? range : emulatorRange;
    }

    /** The default of a new entity of the file, or null for the usual default. */
    public @Nullable V emulatorDefault() {
        return emulatorDefault;
    }

    /** Whether the emulator's file has the member, and strict mode therefore too. */
    public boolean isInEmulator() {
        return inEmulator;
    }

    /** Whether only a creation can set it (ENT-1). */
    public boolean isFixed() {
        return fixed;
    }

    /** Whether it is held against limits, and therefore only when it changes. */
    public boolean isQuota() {
        return quota;
    }

    /** Why the value may not be, or null. */
    @Nullable
    Rejection refuse(V value, Limits limits) {
        if (check != null) {
            return check.refuse(value, limits);
        }
        if (range == null || value == null) {
            return null;
        }
        return switch (type) {
            case DURATION, TIME_TO_LIVE -> PropertyChecks.duration(name, (Long) value, range.min, range.max);
            case COUNT, MEGABYTES, KILOBYTES ->
                PropertyChecks.number(name, ((Number) value).longValue(), range.min, range.max, unit);
            case TEXT -> PropertyChecks.text(name, (String) value, range.max);
            default -> null;
        };
    }

    /** A value as the reference page shows it. */
    public String show(@Nullable Object value) {
        if (value == null) {
            return "";
        }
        return switch (type) {
            case DURATION, TIME_TO_LIVE ->
                IsoDurations.format((Long) value).equals(IsoDurations.MAX)
                        ? "never"
                        : IsoDurations.format((Long) value);
            case STATUS -> ((EntityStatus) value).word();
            case ACCESS_RULES -> "";
            default -> value.toString();
        };
    }
}
