package dev.jitney.cli.top;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one entity has and does; null where it is not known.
 *
 * @param namespace its namespace, or null if there is only one
 * @param incoming messages stored since the server started
 * @param outgoing deliveries since the server started
 * @param incomingRate messages stored per second, between two looks
 * @param outgoingRate deliveries per second, between two looks
 * @param oldestSeconds age of the oldest message that waits
 */
record EntityLoad(
        String kind,
        @Nullable String namespace,
        String path,
        long active,
        long deadLetter,
        long scheduled,
        @Nullable Double incoming,
        @Nullable Double outgoing,
        @Nullable Double incomingRate,
        @Nullable Double outgoingRate,
        @Nullable Double oldestSeconds,
        @Nullable Long receivers) {

    /** Names it among all others. */
    String key() {
        return namespace + "/" + kind + "/" + path;
    }

    /** The same with rates, from what it was some time ago. Counters that fell began again, so that there is no rate. */
    EntityLoad since(@Nullable EntityLoad before, double seconds) {
        return new EntityLoad(
                kind,
                namespace,
                path,
                active,
                deadLetter,
                scheduled,
                incoming,
                outgoing,
                before == null ? null : rate(before.incoming, incoming, seconds),
                before == null ? null : rate(before.outgoing, outgoing, seconds),
                oldestSeconds,
                receivers);
    }

    private static @Nullable Double rate(@Nullable Double before, @Nullable Double now, double seconds) {
        return before == null || now == null || now < before || seconds <= 0 ? null : (now - before) / seconds;
    }

    /** For programs. */
    Map<String, @Nullable Object> document() {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("kind", kind);
        document.put("namespace", namespace);
        document.put("path", path);
        document.put("activeMessageCount", active);
        document.put("deadLetterMessageCount", deadLetter);
        document.put("scheduledMessageCount", scheduled);
        document.put("incomingPerSecond", incomingRate);
        document.put("outgoingPerSecond", outgoingRate);
        document.put("oldestMessageAgeSeconds", oldestSeconds);
        document.put("receivers", receivers);
        return document;
    }
}
