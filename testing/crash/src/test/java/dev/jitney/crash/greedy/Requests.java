package dev.jitney.crash.greedy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.protonj2.types.UnsignedInteger;

/** Requests to the management node of an entity (wire reference 6). */
final class Requests {
    private static final String PREFIX = "com.microsoft:";

    private Requests() {}

    /** Returns a request for an operation. */
    static byte[] request(String replyTo, String operation, Map<String, Object> body) {
        return Frames.request("id", replyTo, Map.of("operation", PREFIX + operation), body);
    }

    /** Returns a request to peek messages, beginning with the first one. */
    static byte[] peek(String replyTo, int count) {
        return request(replyTo, "peek-message", Map.of("from-sequence-number", 0L, "message-count", count));
    }

    /** Returns a request for deferred messages by their numbers. */
    static byte[] receive(String replyTo, List<Long> numbers, boolean peekLock) {
        return request(
                replyTo,
                "receive-by-sequence-number",
                Map.of(
                        "sequence-numbers",
                        numbers.stream().mapToLong(Long::longValue).toArray(),
                        "receiver-settle-mode",
                        UnsignedInteger.valueOf(peekLock ? 1 : 0)));
    }

    /** Returns a request to add a rule that compares many properties with long texts. */
    static byte[] addCorrelationRule(String replyTo, String name, int properties, int characters) {
        Map<String, Object> wanted = new HashMap<>();
        for (int i = 0; i < properties; i++) {
            wanted.put("property-" + i, "x".repeat(characters));
        }
        return request(
                replyTo,
                "add-rule",
                Map.of(
                        "rule-name",
                        name,
                        "rule-description",
                        Map.of("rule-name", name, "correlation-filter", Map.of("properties", wanted))));
    }
}
