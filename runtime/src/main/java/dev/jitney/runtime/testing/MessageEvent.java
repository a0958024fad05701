package dev.jitney.runtime.testing;

import org.jspecify.annotations.Nullable;

/**
 * An event in the life of a message, in the history of a broker under test.
 *
 * @param atMs message time, milliseconds since the epoch
 * @param entity the path of the queue, topic or subscription
 * @param kind the kind of event
 * @param sequenceNumber the number of the message in the entity; 0 if it got none
 * @param messageId the id of the message, or null if it has none or is not known any more
 * @param reason the reason of a dead letter, the destination of a forwarded message, or null
 */
public record MessageEvent(
        long atMs,
        String entity,
        Kind kind,
        long sequenceNumber,
        @Nullable String messageId,
        @Nullable String reason) {

    /** The kinds of events. The text is the name for people and in JSON. */
    public enum Kind {
        ENQUEUED("enqueued"),
        SCHEDULED("scheduled"),
        CANCELED("canceled"),
        DELIVERED("delivered"),
        COMPLETED("completed"),
        RECEIVED_AND_DELETED("received-and-deleted"),
        EXPIRED("expired"),
        DELETED("deleted"),
        FORWARDED("forwarded"),
        DEAD_LETTERED("dead-lettered"),
        ABANDONED("abandoned"),
        LOCK_EXPIRED("lock-expired"),
        DEFERRED("deferred"),
        DUPLICATE("duplicate"),
        PUBLISHED("published"),
        UNMATCHED("unmatched"),
        RESET("reset");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** Returns the name for people and in JSON. */
        public String text() {
            return text;
        }
    }
}
