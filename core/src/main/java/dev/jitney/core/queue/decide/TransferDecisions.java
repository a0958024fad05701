package dev.jitney.core.queue.decide;

import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.Transfer;
import dev.jitney.core.Transfer.Origin;
import dev.jitney.core.queue.ForwardedMessage;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.model.Rejection;
import dev.jitney.model.TransferFailureTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Messages on their way to other entities: into the outbox of their source, and out of it (T-4 to T-6). */
public final class TransferDecisions {

    private TransferDecisions() {}

    /**
     * Why a message cannot be handed on, as its dead-letter properties say it.
     *
     * @param code what the destination says, or null if it was not asked
     */
    public record Failure(
            String reason, String description, @Nullable ErrorCode code) {
        /** DLQ-18. */
        public static final Failure TOO_MANY_HOPS = new Failure(
                "MaxTransferHopCountExceeded",
                "The maximum number of allowed hops when forwarding between queues. Value is set to "
                        + MessageEnvelope.HOPS_MAX + ".",
                null);

        /** DLQ-14. */
        public static final Failure HEADER_TOO_LARGE =
                new Failure("HeaderSizeExceeded", "The size quota for this stream has been exceeded.", null);

        /** What a destination says (DLQ-30, DLQ-31). */
        public static Failure of(Rejection refusal) {
            return new Failure(typeName(refusal.code()), refusal.description(), refusal.code());
        }

        /** Where a message that was forwarded goes for that (DLQ-14, DLQ-32). */
        public Lane lane(TransferFailureTarget target) {
            return target == TransferFailureTarget.DLQ || this == HEADER_TOO_LARGE
                    ? Lane.DEAD_LETTER
                    : Lane.TRANSFER_DEAD_LETTER;
        }
    }

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
                Transfer transfer = new Transfer(++number, destinationIds.get(i), messages.get(i), null);
                records.add(new Record.TransferQueued(transfer));
            }
        }
        return records;
    }

    /**
     * Puts a forwarded message into the outbox.
     *
     * @param after the last number the source has given out
     */
    public static Record queue(long after, long destinationId, ForwardedMessage forwarded) {
        // What was not kept before has a number that is larger than those of all transfers before.
        long number = forwarded.removal() == null ? forwarded.origin().sequenceNumber() : after + 1;
        return new Record.TransferQueued(new Transfer(number, destinationId, forwarded.message(), forwarded.origin()));
    }

    /** The destination has stored it. */
    public static Record done(Transfer transfer) {
        return new Record.TransferDone(transfer.destinationId(), transfer.number(), transfer.sizeBytes());
    }

    /** The destination of a message that never was in the outbox will never take it. */
    public static Record refused(ForwardedMessage forwarded, Failure failure, TransferFailureTarget target) {
        return new Record.ForwardRefused(
                failure.lane(target), inDeadLetters(forwarded.message(), forwarded.origin(), reason(failure)));
    }

    /**
     * The destination will never take it (DLQ-30 to DLQ-32). What came from the dead-letter queue goes back there (FWD-12),
     * under the number of the transfer, because a row is never written twice; what a transaction sends goes to the transfer dead-letter queue whatever the namespace says.
     */
    public static Record deadLettered(Transfer transfer, Failure failure, TransferFailureTarget target, long nowMs) {
        IncomingMessage message = transfer.message();
        Origin origin = transfer.origin();
        if (origin == null) {
            long expiresAtMs = Admission.saturatedSum(nowMs, message.timeToLiveMs());
            MessageEnvelope sent = MessageEnvelope.builder()
                    .sequenceNumber(transfer.number())
                    .enqueuedTimeMs(nowMs)
                    .expiresAtMs(expiresAtMs)
                    .build();
            return new Record.TransferDeadLettered(
                    transfer.destinationId(),
                    transfer.number(),
                    transfer.sizeBytes(),
                    inDeadLetters(message, new Origin(Lane.MAIN, sent), reason(failure)));
        }
        boolean back = origin.lane() == Lane.DEAD_LETTER;
        StoredMessage stored = back
                ? inDeadLetters(message, origin.numbered(transfer.number()), Map.of())
                : inDeadLetters(message, origin, reason(failure));
        return back || failure.lane(target) == Lane.DEAD_LETTER
                ? new Record.TransferReturned(transfer.destinationId(), transfer.number(), transfer.sizeBytes(), stored)
                : new Record.TransferDeadLettered(
                        transfer.destinationId(), transfer.number(), transfer.sizeBytes(), stored);
    }

    private static Map<String, EncodedValue> reason(Failure failure) {
        return FailedDelivery.withReason(Map.of(), failure.reason(), failure.description());
    }

    private static StoredMessage inDeadLetters(
            IncomingMessage message, Origin origin, Map<String, EncodedValue> overrides) {
        MessageEnvelope there = origin.envelope();
        MessageEnvelope envelope = message.envelope().toBuilder()
                .sequenceNumber(there.sequenceNumber())
                .enqueuedSequenceNumber(Admission.firstNumber(message, there.sequenceNumber()))
                .enqueuedTimeMs(there.enqueuedTimeMs())
                .expiresAtMs(there.expiresAtMs())
                .deliveryCount(there.deliveryCount())
                .deadLetterSource(there.deadLetterSource())
                .propertyOverrides(overrides)
                .hops(Math.max(0, message.hops() - 1))
                .build();
        return new StoredMessage(envelope, message.content(), null);
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
