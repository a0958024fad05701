package dev.jitney.cli.top;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The counts and rates of one entity. Unknown values are null.
 *
 * @param namespace its namespace, or null if there is only one
 * @param incoming messages stored since the server started
 * @param outgoing deliveries since the server started
 * @param incomingRate messages stored per second since the previous reading
 * @param outgoingRate deliveries per second since the previous reading
 * @param oldestSeconds age of the oldest waiting message
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

    /** Returns a unique key of the entity. */
    String key() {
        return namespace + "/" + kind + "/" + path;
    }

    /** Returns the same load with rates since an earlier reading. A counter that fell was reset, so it has no rate. */
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

    /** Returns the load as a document. */
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
