package dev.jitney.server.config;

import dev.jitney.model.Limits;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The quotas as settings by name. Every number in {@link Limits} is a setting with the name of its component
 * (QUOTA-12).
 */
public final class LimitSettings {
    /** The largest message of any tier over AMQP. */
    private static final long MAX_MESSAGE_SIZE_BYTES = 100L * 1024 * 1024;

    private LimitSettings() {}

    /** Returns all names, in the order of {@link Limits}. */
    public static List<String> names() {
        return Arrays.stream(Limits.class.getRecordComponents())
                .filter(component -> component.getType().isPrimitive())
                .map(RecordComponent::getName)
                .toList();
    }

    /**
     * Returns the name in the spelling of {@link Limits}.
     *
     * @param name in any case
     * @throws IllegalArgumentException if there is no such limit; its message lists the names
     */
    public static String canonicalName(String name) {
        for (String known : names()) {
            if (known.equalsIgnoreCase(name)) {
                return known;
            }
        }
        throw new IllegalArgumentException(
                "Expected one of the limits " + String.join(", ", names()) + ", but got '" + name + "'.");
    }

    /**
     * Checks a value for a limit.
     *
     * @param name one of {@link #names}
     * @throws IllegalArgumentException if it is out of range
     */
    public static long checked(String name, long value) {
        long max = Long.MAX_VALUE;
        for (RecordComponent component : Limits.class.getRecordComponents()) {
            if (component.getName().equals(name) && component.getType() == int.class) {
                max = Integer.MAX_VALUE;
            }
        }
        if (name.equals("maxMessageSizeBytes")) {
            max = MAX_MESSAGE_SIZE_BYTES;
        }
        if (value < 1 || value > max) {
            throw new IllegalArgumentException("Expected 1 to " + max + " for " + name + ", but got " + value + ".");
        }
        return value;
    }

    /** Returns the environment variable of a limit, {@code JITNEY_LIMIT_MAX_LOCKS} for {@code maxLocks}. */
    public static String environmentName(String name) {
        return "JITNEY_LIMIT_" + name.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
    }

    /**
     * Returns limits with some of the values replaced.
     *
     * @param values checked values by name
     */
    public static Limits apply(Limits base, Map<String, Long> values) {
        RecordComponent[] components = Limits.class.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] arguments = new Object[components.length];
        try {
            for (int i = 0; i < components.length; i++) {
                types[i] = components[i].getType();
                Long value = values.get(components[i].getName());
                if (value == null) {
                    arguments[i] = components[i].getAccessor().invoke(base);
                } else if (types[i] == int.class) {
                    arguments[i] = Math.toIntExact(value);
                } else {
                    arguments[i] = value;
                }
            }
            return Limits.class.getDeclaredConstructor(types).newInstance(arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Expected the limits to be a public record.", e);
        }
    }

    /** Merges two sets of settings; the second one takes precedence. */
    public static Map<String, Long> merged(Map<String, Long> weaker, Map<String, Long> stronger) {
        Map<String, Long> all = new LinkedHashMap<>(weaker);
        all.putAll(stronger);
        return all;
    }
}
