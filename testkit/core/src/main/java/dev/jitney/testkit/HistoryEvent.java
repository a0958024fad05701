package dev.jitney.testkit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event in the life of a message.
 *
 * @param at the message time of the broker
 * @param entity the path of the entity
 * @param event the event, such as {@code enqueued}, {@code completed} or {@code dead-lettered}
 * @param sequenceNumber the number of the message in the entity, or 0 if it has none
 * @param reason the reason of a dead letter, otherwise null
 * @param to the destination of a forwarded message, otherwise null
 */
public record HistoryEvent(
        Instant at,
        String entity,
        String event,
        long sequenceNumber,
        @Nullable String messageId,
        @Nullable String reason,
        @Nullable String to) {

    static HistoryEvent of(JsonObject json) {
        Instant at = json.time("at");
        return new HistoryEvent(
                at == null ? Instant.EPOCH : at,
                json.text("entity"),
                json.text("event"),
                json.number("sequenceNumber"),
                json.textOrNull("messageId"),
                json.textOrNull("reason"),
                json.textOrNull("to"));
    }

    @Override
    public String toString() {
        return at + " " + entity + ": " + event + (sequenceNumber == 0 ? "" : " #" + sequenceNumber)
                + (messageId == null ? "" : " '" + messageId + "'") + (reason == null ? "" : " (" + reason + ")")
                + (to == null ? "" : " to " + to);
    }
}
