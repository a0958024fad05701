package dev.jitney.model;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The target of a link address, an audience or a URL path (wire reference 3.1).
 *
 * <p>The parser drops scheme and authority, decodes percent escapes, and reads {@code \} as {@code /}. It recognizes
 * {@code Subscriptions}, {@code $DeadLetterQueue}, {@code $Transfer} and {@code $management} in any case. Names keep the
 * case in which they were given; {@link #key} compares them.
 *
 * @param path the path of the entity, without slashes around it: a queue, a topic, or {@code topic/Subscriptions/name}
 * @param topic the topic of a subscription, or null
 * @param subscription the subscription's own name, or null
 * @param subQueue the sub-queue of the entity
 * @param management whether the address is the entity's {@code $management} node
 */
public record EntityAddress(
        String path, @Nullable String topic, @Nullable String subscription, SubQueue subQueue, boolean management) {

    private static final String MANAGEMENT = "/$management";
    private static final String DEAD_LETTER = "/$deadletterqueue";
    private static final String TRANSFER = "/$transfer";
    private static final String SUBSCRIPTIONS = "/subscriptions/";

    /**
     * Parses an address in any form that client libraries send: {@code q}, {@code /q}, {@code amqps://host/q},
     * {@code sb://host:5672/t/Subscriptions/s/$DeadLetterQueue}. Never fails; an empty path matches no entity.
     */
    public static EntityAddress parse(String address) {
        String rest = address;
        int scheme = rest.indexOf("://");
        if (scheme >= 0) {
            int slash = rest.indexOf('/', scheme + 3);
            rest = slash < 0 ? "" : rest.substring(slash);
        }
        return ofPath(decode(rest));
    }

    /** Parses a path whose escapes are already decoded, with or without slashes around it. Never fails. */
    public static EntityAddress ofPath(String path) {
        String rest = "/" + stripSlashes(path.replace('\\', '/'));

        boolean management = endsWith(rest, MANAGEMENT);
        if (management) {
            rest = cut(rest, MANAGEMENT);
        }
        SubQueue subQueue = SubQueue.MAIN;
        if (endsWith(rest, DEAD_LETTER)) {
            rest = cut(rest, DEAD_LETTER);
            subQueue = SubQueue.DEAD_LETTER;
            if (endsWith(rest, TRANSFER)) {
                rest = cut(rest, TRANSFER);
                subQueue = SubQueue.TRANSFER_DEAD_LETTER;
            }
        }
        rest = stripSlashes(rest);

        int last = rest.toLowerCase(Locale.ROOT).lastIndexOf(SUBSCRIPTIONS);
        if (last > 0) {
            String name = rest.substring(last + SUBSCRIPTIONS.length());
            if (!name.isEmpty() && name.indexOf('/') < 0) {
                String topic = rest.substring(0, last);
                return new EntityAddress(topic + "/Subscriptions/" + name, topic, name, subQueue, management);
            }
        }
        return new EntityAddress(rest, null, null, subQueue, management);
    }

    /** Returns the path in lower case, the form in which paths are compared (MSG-9). */
    public String key() {
        return keyOf(path);
    }

    /** Returns the comparison form of any entity path. */
    public static String keyOf(String path) {
        return path.toLowerCase(Locale.ROOT);
    }

    private static boolean endsWith(String text, String suffix) {
        return text.regionMatches(true, text.length() - suffix.length(), suffix, 0, suffix.length());
    }

    private static String cut(String text, String suffix) {
        return text.substring(0, text.length() - suffix.length());
    }

    private static String stripSlashes(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && text.charAt(from) == '/') {
            from++;
        }
        while (to > from && text.charAt(to - 1) == '/') {
            to--;
        }
        return text.substring(from, to);
    }

    private static String decode(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformedEscape) {
            return text; // no entity has this name: the caller answers "not found"
        }
    }
}
