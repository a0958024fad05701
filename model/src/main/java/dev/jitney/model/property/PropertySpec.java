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
 * The meaning of a property in every kind of entity that has it: name, type, range and check. Constant after
 * {@link PropertySpecs} is initialized, so that any thread may read it.
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

    /** The allowed values, including both ends: milliseconds, a number, or the length of a text in UTF-16 units. */
    public record Range(long min, long max) {
        boolean contains(long value) {
            return value >= min && value <= max;
        }
    }

    /** Checks a value, or a description for one property. */
    @FunctionalInterface
    interface Check<T extends @Nullable Object> {
        /** Returns the refusal, or null. */
        @Nullable
        Rejection refuse(T value, Limits limits);
    }

    /**
     * Creates the specification of a property.
     *
     * @param name the name in Service Bus; used in refusals and, unless {@link #element(String)} sets another name, in
     *     all formats
     * @param meaning a sentence for the reference page
     */
    PropertySpec(String name, PropertyType type, String meaning) {
        this.name = name;
        this.type = type;
        this.meaning = meaning;
        this.element = name;
    }

    // --- declaration, in PropertySpecs only ---

    /**
     * Sets the name of the Atom element and the member of the configuration file, if it differs from the name of the
     * property.
     */
    PropertySpec<V> element(String value) {
        element = value;
        return this;
    }

    /** Sets the first {@code api-version} whose clients know the element. */
    PropertySpec<V> since(String apiVersion) {
        since = apiVersion;
        return this;
    }

    PropertySpec<V> range(long min, long max) {
        range = new Range(min, max);
        return this;
    }

    /** Sets the unit of the range in a refusal, for example {@code deliveries}. */
    PropertySpec<V> unit(String word) {
        unit = " " + word;
        return this;
    }

    /** Marks the property as a member of the emulator's file. */
    PropertySpec<V> inEmulator() {
        inEmulator = true;
        return this;
    }

    /**
     * Marks the property as a member of the emulator's file with its own range and default there (HTTP reference 4.1).
     *
     * @param value the default of a new entity of the file, with and without strict mode; null for the usual one
     */
    PropertySpec<V> inEmulator(long min, long max, @Nullable V value) {
        inEmulator = true;
        emulatorRange = new Range(min, max);
        emulatorDefault = value;
        return this;
    }

    /** Makes the property fixed at creation (ENT-1). */
    PropertySpec<V> fixed() {
        fixed = true;
        return this;
    }

    /** Marks the property as a quota. Limits may have changed since creation, so an unchanged value stays valid. */
    PropertySpec<V> quota() {
        quota = true;
        return this;
    }

    /** Replaces the check of the range by another check. */
    PropertySpec<V> check(Check<V> value) {
        check = value;
        return this;
    }

    /** Returns the property in one kind of entity. */
    <D extends EntityDescription, B extends EntityDescription.Builder<D>> EntityProperty<D> of(
            Function<D, V> getter, BiFunction<B, V, B> setter) {
        return new EntityProperty<>(this, getter, setter);
    }

    // --- use ---

    /** Returns the name in refusals. */
    public String name() {
        return name;
    }

    /** Returns the name of the Atom element and of the member of the configuration file. */
    public String element() {
        return element;
    }

    public PropertyType type() {
        return type;
    }

    /** Returns a sentence for the reference page. */
    public String meaning() {
        return meaning;
    }

    /** Returns the first {@code api-version} whose clients know the element; empty if all clients do. */
    public String since() {
        return since;
    }

    /** Returns the values that the configuration file accepts; null if it accepts any. */
    public @Nullable Range range() {
        return range;
    }

    /** Returns the values that the configuration file accepts in strict mode; null if it accepts any. */
    public @Nullable Range strictRange() {
        return emulatorRange == null ? range : emulatorRange;
    }

    /** Returns the default of a new entity of the file, or null for the usual default. */
    public @Nullable V emulatorDefault() {
        return emulatorDefault;
    }

    /** Returns whether the emulator's file has the member; strict mode accepts only such members. */
    public boolean isInEmulator() {
        return inEmulator;
    }

    /** Returns whether the property is fixed at creation (ENT-1). */
    public boolean isFixed() {
        return fixed;
    }

    /** Returns whether the property is a quota, which is checked only when it changes. */
    public boolean isQuota() {
        return quota;
    }

    /** Checks a value. Returns null if it is valid. */
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

    /** Returns a value as the reference page shows it. */
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
