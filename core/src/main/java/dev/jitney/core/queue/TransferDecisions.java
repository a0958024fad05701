package dev.jitney.core.queue;

import dev.jitney.core.Record;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.Transfer;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Messages on their way to other entities: into the outbox of their source, and out of it (T-4 to T-6). */
public final class TransferDecisions {

    private TransferDecisions() {}

    /**
     * Puts messages into the outbox.
     *
     * @param after the transfers get the numbers that follow this one
     */
    public static List<Record> queue(long after, List<Long> destinationIds, List<IncomingMessage> messages) {
        List<Record> records = new ArrayList<>(messages.size());
        long number = after;
        for (int i = 0; i < messages.size(); i++) {
            if (!messages.get(i).ping()) {
                records.add(new Record.TransferQueued(new Transfer(++number, destinationIds.get(i), messages.get(i))));
            }
        }
        return records;
    }

    /** The destination has stored it. */
    public static Record done(Transfer transfer) {
        return new Record.TransferDone(transfer.destinationId(), transfer.number(), transfer.sizeBytes());
    }

    /** The destination will never take it (DLQ-30, DLQ-31). */
    public static Record deadLettered(Transfer transfer, Rejection reason, long nowMs) {
        IncomingMessage message = transfer.message();
        StoredMessage stored = new StoredMessage(
                transfer.number(),
                transfer.number(),
                nowMs,
                Admission.saturatedSum(nowMs, message.timeToLiveMs()),
                message.scheduledEnqueueTimeMs(),
                0,
                message.sessionId(),
                null,
                FailedDelivery.withReason(Map.of(), typeName(reason.code()), reason.description()),
                message.content());
        return new Record.TransferDeadLettered(transfer.destinationId(), transfer.sizeBytes(), stored);
    }

    /** The exception that names the reason in the service (semantics 0.3). */
    private static String typeName(ErrorCode code) {
        return switch (code) {
            case ENTITY_NOT_FOUND -> "MessagingEntityNotFoundException";
            case ENTITY_DISABLED -> "MessagingEntityDisabledException";
            case QUOTA_EXCEEDED -> "QuotaExceededException";
            case MESSAGE_SIZE_EXCEEDED -> "MessageSizeExceededException";
            case INVALID_OPERATION -> "InvalidOperationException";
            case NO_MATCHING_SUBSCRIPTION -> "NoMatchingSubscriptionException";
            case NOT_IMPLEMENTED -> "NotSupportedException";
            default -> "MessagingException";
        };
    }
}
