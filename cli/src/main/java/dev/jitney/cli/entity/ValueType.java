package dev.jitney.cli.entity;

import com.azure.messaging.servicebus.administration.models.EntityStatus;
import dev.jitney.cli.value.Durations;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The type of a setting's value: its parser for options and files, and its label in the help.
 *
 * @param <T> class of the value
 */
final class ValueType<T> {
    static final ValueType<Duration> DURATION = new ValueType<>("DURATION", Durations::parse, Durations::normal);
    static final ValueType<Boolean> FLAG = new ValueType<>("true|false", ValueType::flag, value -> value);
    static final ValueType<Integer> INTEGER =
            new ValueType<>("N", text -> (int) number(text, Integer.MAX_VALUE), value -> value);
    static final ValueType<Long> LONG = new ValueType<>("N", text -> number(text, Long.MAX_VALUE), value -> value);
    /** A size that only some tiers report; 0 means that the tier does not. */
    static final ValueType<Long> SIZE =
            new ValueType<>("N", text -> number(text, Long.MAX_VALUE), value -> value == 0 ? "" : value);

    static final ValueType<String> TEXT = new ValueType<>("TEXT", text -> text, value -> value);
    /** The path of an entity, which the service returns as a URL. */
    static final ValueType<String> ENTITY = new ValueType<>("ENTITY", text -> text, ValueType::path);

    static final ValueType<EntityStatus> STATUS = new ValueType<>("STATUS", ValueType::status, EntityStatus::toString);

    private final String label;
    private final Function<String, T> parser;
    private final Function<T, Object> shown;

    private ValueType(String label, Function<String, T> parser, Function<T, Object> shown) {
        this.label = label;
        this.parser = parser;
        this.shown = shown;
    }

    String label() {
        return label;
    }

    /**
     * Parses a value.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    T parse(String text) {
        return parser.apply(text);
    }

    /** Returns the value for a document. */
    Object show(T value) {
        return shown.apply(value);
    }

    private static boolean flag(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true", "yes", "on" -> true;
            case "false", "no", "off" -> false;
            default -> throw new IllegalArgumentException("Expected true or false, but got '" + text + "'.");
        };
    }

    private static long number(String text, long max) {
        try {
            long number = Long.parseLong(text.strip());
            if (number >= 0 && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The exception below covers this case.
        }
        throw new IllegalArgumentException("Expected a whole number up to " + max + ", but got '" + text + "'.");
    }

    private static EntityStatus status(String text) {
        Map<String, EntityStatus> known = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        Collection<EntityStatus> settable = List.of(
                EntityStatus.ACTIVE, EntityStatus.DISABLED, EntityStatus.SEND_DISABLED, EntityStatus.RECEIVE_DISABLED);
        settable.forEach(status -> known.put(status.toString(), status));
        EntityStatus status = known.get(text.strip().replace("-", ""));
        if (status == null) {
            throw new IllegalArgumentException(
                    "Expected one of " + String.join(", ", known.keySet()) + ", but got '" + text + "'.");
        }
        return status;
    }

    /** Returns {@code sb://host/orders} as {@code orders}, a form that works in other namespaces too. */
    private static String path(String url) {
        int scheme = url.indexOf("://");
        int slash = scheme < 0 ? -1 : url.indexOf('/', scheme + 3);
        return slash < 0 ? url : url.substring(slash + 1);
    }
}
