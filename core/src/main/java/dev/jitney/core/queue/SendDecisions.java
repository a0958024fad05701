package dev.jitney.core.queue;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.MessageRow;
import dev.jitney.core.Situation;
import dev.jitney.core.StoredMessage;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Messages on their way in, and scheduled ones taken back (semantics chapters 2 and 11). */
final class SendDecisions {

    private SendDecisions() {}

    static Decision send(QueueView queue, Command.SendMessages command, Situation now) {
        Rejection refusal = refuse(queue, command.messages(), now);
        if (refusal != null) {
            return Decision.reject(refusal);
        }
        List<Record> records = new ArrayList<>(command.messages().size());
        long[] numbers = new long[command.messages().size()];
        long number = queue.lastSequenceNumber();
        for (int i = 0; i < numbers.length; i++) {
            IncomingMessage message = command.messages().get(i);
            if (message.ping()) {
                continue; // PAIR-32: acknowledged, never stored
            }
            number++;
            numbers[i] = number;
            long timeToLiveMs = effectiveTimeToLive(queue, message.timeToLiveMs());
            if (message.scheduledEnqueueTimeMs() > now.nowMs()) {
                records.add(new Record.MessageScheduled(stored(message, number, now.nowMs(), timeToLiveMs)));
            } else {
                long expiresAtMs = saturatedSum(now.nowMs(), timeToLiveMs);
                records.add(new Record.MessageEnqueued(stored(message, number, now.nowMs(), expiresAtMs)));
            }
        }
        return Decision.of(records, new Reply.Sent(numbers));
    }

    static Decision cancel(QueueView queue, Command.CancelScheduledMessages command, Situation now) {
        if (!queue.description().status().allowsSend()) {
            return Decision.reject(disabled(queue, "sending"));
        }
        List<Record> records = new ArrayList<>();
        Set<Long> seen = new HashSet<>();
        for (long number : command.sequenceNumbers()) {
            MessageRow row = now.rows().message(queue.id(), Lane.SCHEDULED, number);
            if (row == null || !seen.add(number)) {
                return Decision.reject(
                        ErrorCode.MESSAGE_NOT_FOUND,
                        "The scheduled message with sequence number " + number + " could not be found.");
            }
            StoredMessage message = row.message();
            records.add(new Record.ScheduledMessageCancelled(
                    number, message.scheduledEnqueueTimeMs(), message.sizeBytes()));
        }
        return Decision.done(records);
    }

    /** The same for every command that a status forbids (SUSP-1). */
    static Rejection disabled(QueueView queue, String doing) {
        return new Rejection(
                ErrorCode.ENTITY_DISABLED,
                "Messaging entity '" + queue.description().path() + "' is currently disabled for " + doing + ": its"
                        + " status is " + queue.description().status() + ".");
    }

    /** Time to live after the entity's and the tier's ceilings (TTL-15, TTL-19). */
    static long effectiveTimeToLive(QueueView queue, long timeToLiveMs) {
        return Math.min(
                timeToLiveMs,
                Math.min(
                        queue.description().defaultMessageTimeToLiveMs(),
                        queue.limits().maxTimeToLiveMs()));
    }

    static long saturatedSum(long timeMs, long durationMs) {
        return durationMs == MessageView.NEVER || timeMs > MessageView.NEVER - durationMs
                ? MessageView.NEVER
                : timeMs + durationMs;
    }

    private static StoredMessage stored(IncomingMessage message, long number, long nowMs, long expiresAtMs) {
        return new StoredMessage(
                number,
                number,
                nowMs,
                expiresAtMs,
                message.scheduledEnqueueTimeMs(),
                0,
                message.sessionId(),
                null,
                Map.of(),
                message.content());
    }

    private static @Nullable Rejection refuse(QueueView queue, List<IncomingMessage> messages, Situation now) {
        if (!queue.description().status().allowsSend()) {
            return disabled(queue, "sending");
        }
        if (messages.isEmpty()) {
            return new Rejection(ErrorCode.ARGUMENT, "Expected at least one message, but the batch is empty.");
        }
        long size = 0;
        for (IncomingMessage message : messages) {
            Rejection refusal = refuse(queue.limits(), message);
            if (refusal != null) {
                return refusal;
            }
            size += message.encodedSizeBytes();
        }
        if (size > queue.maxMessageSizeBytes()) {
            return new Rejection(
                    ErrorCode.MESSAGE_SIZE_EXCEEDED,
                    "The received message (size: " + size + " bytes) exceeds the limit (" + queue.maxMessageSizeBytes()
                            + " bytes) of the entity.");
        }
        long quota = queue.description().maxSizeInMegabytes() * 1024 * 1024;
        long used = queue.counts().sizeBytes();
        if (used >= quota) {
            return new Rejection(
                    ErrorCode.QUOTA_EXCEEDED,
                    "The maximum entity size has been reached or exceeded: size of entity in bytes: " + used
                            + ", max entity size in bytes: " + quota + ". Receive messages to make room.");
        }
        if (!now.storeAcceptsGrowth()) {
            return new Rejection(
                    ErrorCode.QUOTA_EXCEEDED,
                    "The disk of the messaging store is full; messages are accepted again as soon as there is room.");
        }
        return null;
    }

    private static @Nullable Rejection refuse(Limits limits, IncomingMessage message) {
        if (message.timeToLiveMs() <= 0) {
            return new Rejection(
                    ErrorCode.ARGUMENT, "Expected a positive time to live, but got " + message.timeToLiveMs() + " ms.");
        }
        Rejection tooLong = tooLong("MessageId", message.messageId(), limits.maxIdLength());
        if (tooLong == null) {
            tooLong = tooLong("SessionId", message.sessionId(), limits.maxIdLength());
        }
        if (tooLong == null) {
            tooLong = tooLong("PartitionKey", message.partitionKey(), limits.maxIdLength());
        }
        if (tooLong != null) {
            return tooLong;
        }
        if (message.sessionId() != null
                && message.partitionKey() != null
                && !message.sessionId().equals(message.partitionKey())) {
            return new Rejection(
                    ErrorCode.INVALID_OPERATION, "Expected PartitionKey and SessionId to be equal, but they differ.");
        }
        if (message.largestPropertySizeBytes() > limits.maxPropertySizeBytes()) {
            return new Rejection(
                    ErrorCode.ARGUMENT,
                    "Expected application properties of at most " + limits.maxPropertySizeBytes()
                            + " bytes each, but the largest has " + message.largestPropertySizeBytes() + ".");
        }
        if (message.headerSizeBytes() > limits.maxHeaderSizeBytes()) {
            return new Rejection(
                    ErrorCode.ARGUMENT,
                    "Expected at most " + limits.maxHeaderSizeBytes() + " bytes of properties, but got "
                            + message.headerSizeBytes() + ".");
        }
        return null;
    }

    private static @Nullable Rejection tooLong(String name, @Nullable String value, int lengthMax) {
        if (value == null || value.length() <= lengthMax) {
            return null;
        }
        return new Rejection(
                ErrorCode.ARGUMENT,
                "Expected a " + name + " of at most " + lengthMax + " characters, but got " + value.length() + ".");
    }
}
