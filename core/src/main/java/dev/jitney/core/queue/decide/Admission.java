package dev.jitney.core.queue.decide;

import dev.jitney.core.Command;
import dev.jitney.core.Situation;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.duplicate.DuplicateCheck;
import dev.jitney.core.partition.FragmentNumbers;
import dev.jitney.core.partition.KeyRules;
import dev.jitney.core.queue.QueueView;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The checks of new messages that queues and topics share (semantics chapter 2). */
public final class Admission {

    private Admission() {}

    /** Returns the time to live after applying the limits of the entity and the tier (TTL-15, TTL-19). */
    public static long effectiveTimeToLive(QueueView queue, long timeToLiveMs) {
        return Math.min(
                timeToLiveMs,
                Math.min(
                        queue.description().defaultMessageTimeToLiveMs(),
                        queue.limits().maxTimeToLiveMs()));
    }

    public static long saturatedSum(long timeMs, long durationMs) {
        return durationMs == MessageView.NEVER || timeMs > MessageView.NEVER - durationMs
                ? MessageView.NEVER
                : timeMs + durationMs;
    }

    /** Returns the row of an accepted message. A forwarded message keeps its first number and its history (FWD-10). */
    public static StoredMessage stored(IncomingMessage message, long number, long nowMs, long expiresAtMs) {
        MessageEnvelope envelope = message.envelope().toBuilder()
                .sequenceNumber(number)
                .enqueuedSequenceNumber(firstNumber(message, number))
                .enqueuedTimeMs(nowMs)
                .expiresAtMs(expiresAtMs)
                .wasScheduled(wasScheduled(message))
                .build();
        return new StoredMessage(envelope, message.content(), null);
    }

    /**
     * Returns the row of an accepted message that waits for its scheduled time. It has the time to live as sent, because the limits of
     * the entity at the activation count (TTL-12, TTL-16).
     */
    public static StoredMessage scheduled(IncomingMessage message, long number, long nowMs) {
        return stored(message, number, nowMs, message.timeToLiveMs());
    }

    /**
     * Returns whether a message waited for its scheduled time in the entity that forwarded it (STATE-9). A transfer
     * carries the scheduled time, but not whether the message waited for it. So a message that was sent there with a
     * scheduled time in the past counts too.
     */
    public static boolean wasScheduled(IncomingMessage message) {
        return message.envelope().isHandedOn() && message.scheduledEnqueueTimeMs() > 0;
    }

    /**
     * Returns the first number of the message in any entity (SEQ-5).
     *
     * @param number the number that it gets now
     */
    public static long firstNumber(IncomingMessage message, long number) {
        long first = message.envelope().enqueuedSequenceNumber();
        return first == 0 ? number : first;
    }

    /** Returns the duplicate detection of one decision, for messages that are not refused. */
    public static DuplicateCheck duplicateCheck(QueueView queue, Situation now) {
        return new DuplicateCheck(
                queue.duplicates(),
                queue.description().requiresDuplicateDetection(),
                queue.description().enablePartitioning(),
                queue.description().duplicateDetectionHistoryTimeWindowMs(),
                now);
    }

    /**
     * Checks a send against the state of the entity.
     *
     * @param used bytes that count towards the entity's quota
     */
    public static @Nullable Rejection refuse(QueueView queue, Command.SendMessages command, long used, Situation now) {
        List<IncomingMessage> messages = command.messages();
        if (!queue.description().status().allowsSend()) {
            return SendDecisions.disabled(queue, "sending");
        }
        Rejection refusal = refuse(
                messages,
                queue.limits(),
                queue.description().requiresSession(),
                command.ofTransaction() ? Long.MAX_VALUE : queue.maxMessageSizeBytes());
        if (refusal != null) {
            return refusal;
        }
        if (FragmentNumbers.areUsedUp(queue.lastSequenceNumber())) {
            return new Rejection(
                    ErrorCode.QUOTA_EXCEEDED,
                    "The sequence numbers of the entity are used up, so it accepts no more messages. Use another"
                            + " entity.");
        }
        return refuseGrowth(queue, used, now);
    }

    /**
     * Checks whether the entity can grow: its quota (QUOTA-2) and the disk. Returns null if it can.
     *
     * @param used bytes that count towards the quota
     */
    static @Nullable Rejection refuseGrowth(QueueView queue, long used, Situation now) {
        long quota = queue.description().maxSizeInMegabytes() * 1024 * 1024;
        if (used >= quota) {
            return new Rejection(
                    ErrorCode.QUOTA_EXCEEDED,
                    "The maximum entity size has been reached or exceeded: size of entity in bytes: " + used
                            + ", max entity size in bytes: " + quota + ". Receive messages to free space.");
        }
        if (!now.storeAcceptsGrowth()) {
            return new Rejection(
                    ErrorCode.QUOTA_EXCEEDED,
                    "The messaging store is full. Messages are accepted again when there is free space.");
        }
        return null;
    }

    /** Checks the messages themselves, independent of the state of the entity. */
    public static @Nullable Rejection refuse(
            List<IncomingMessage> messages, Limits limits, boolean requiresSession, long sizeBytesMax) {
        if (messages.isEmpty()) {
            return new Rejection(ErrorCode.ARGUMENT, "Expected at least one message, but the batch is empty.");
        }
        long size = 0;
        for (IncomingMessage message : messages) {
            Rejection refusal = refuse(limits, message);
            if (refusal == null && requiresSession && message.sessionId() == null && !message.ping()) { // SESS-3
                refusal = new Rejection(
                        ErrorCode.INVALID_OPERATION,
                        "The SessionId was not set on a message, and it cannot be sent to the entity. Entities that"
                                + " have"
                                + " session support enabled can only receive messages that have the SessionId set to a"
                                + " valid value.");
            }
            if (refusal != null) {
                return refusal;
            }
            // QUOTA-5: a forwarded message was checked when it was sent, and only its header has grown since (DLQ-14).
            size += message.envelope().isHandedOn() ? 0 : message.encodedSizeBytes();
        }
        return size <= sizeBytesMax
                ? null
                : new Rejection(
                        ErrorCode.MESSAGE_SIZE_EXCEEDED,
                        "The received message (size: " + size + " bytes) exceeds the limit (" + sizeBytesMax
                                + " bytes) of the entity.");
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
        if (tooLong == null) {
            tooLong = tooLong("ViaPartitionKey", message.viaPartitionKey(), limits.maxIdLength());
        }
        if (tooLong == null) {
            tooLong = tooLong("ReplyToSessionId", message.replyToSessionId(), limits.maxIdLength());
        }
        if (tooLong != null) {
            return tooLong;
        }
        if (message.sessionId() != null && !isWholeText(message.sessionId())) {
            return notWhole();
        }
        if (KeyRules.contradict(message)) { // SESS-22
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

    /**
     * Checks a session id for lone surrogates. Sessions are distinguished by their ids in UTF-8, in which all lone
     * surrogates would be equal.
     */
    static boolean isWholeText(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return false;
            }
        }
        return true;
    }

    static Rejection notWhole() {
        return new Rejection(
                ErrorCode.ARGUMENT, "Expected a SessionId of valid characters, but it has half of a surrogate pair.");
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
