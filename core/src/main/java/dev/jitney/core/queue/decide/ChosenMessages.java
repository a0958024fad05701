package dev.jitney.core.queue.decide;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.RowWriter.MessageRow;
import dev.jitney.core.Situation;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.Transfer.Origin;
import dev.jitney.core.queue.LockView;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.QueuedMessageView;
import dev.jitney.core.queue.RowMessage;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The decisions on one message that an operator has chosen by its sequence number. A locked message is only unlocked, because its
 * receiver may be processing it.
 */
final class ChosenMessages {

    private ChosenMessages() {}

    /** A message of the queue with its lane and its lock. */
    private record Chosen(
            Lane lane, MessageRow row, @Nullable LockView lock) {
        QueuedMessageView message() {
            return new RowMessage(row);
        }

        long number() {
            return row.message().sequenceNumber();
        }
    }

    static Decision change(QueueView queue, Command.ChangeMessage command, Situation now) {
        Chosen chosen = find(queue, command.subQueue(), command.sequenceNumber(), now);
        if (chosen == null) {
            return Decision.reject(missing(command.sequenceNumber()));
        }
        Rejection refusal = command.act().needsUnlocked() ? busy(queue, chosen) : null;
        if (refusal != null) {
            return Decision.reject(refusal);
        }
        return switch (command.act()) {
            case DELETE -> Decision.done(List.of(removal(chosen)));
            case DEAD_LETTER -> deadLetter(queue, chosen, command, now);
            case UNLOCK -> unlock(queue, chosen, now);
        };
    }

    static TakenMessage take(QueueView queue, SubQueue subQueue, long number, Situation now) {
        Chosen chosen = find(queue, subQueue, number, now);
        if (chosen == null) {
            return TakenMessage.refused(missing(number));
        }
        Rejection refusal = busy(queue, chosen);
        return refusal != null
                ? TakenMessage.refused(refusal)
                : new TakenMessage(removal(chosen), origin(chosen), null);
    }

    private static @Nullable Chosen find(QueueView queue, SubQueue subQueue, long number, Situation now) {
        Lane lane = Lane.of(subQueue);
        MessageRow row = now.rows().message(queue.id(), lane, number);
        if (row != null) {
            return new Chosen(lane, row, queue.lock(lane, number));
        }
        row = lane == Lane.MAIN ? now.rows().message(queue.id(), Lane.SCHEDULED, number) : null;
        return row == null ? null : new Chosen(Lane.SCHEDULED, row, null);
    }

    private static Rejection missing(long number) {
        return new Rejection(
                ErrorCode.MESSAGE_NOT_FOUND,
                "There is no message with the sequence number " + number
                        + ". It was completed, moved or removed, or it is in another queue.");
    }

    /** Returns the refusal of a change that must not interfere with others, or null. */
    private static @Nullable Rejection busy(QueueView queue, Chosen chosen) {
        LockView lock = chosen.lock();
        if (lock != null) {
            return new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "The message " + chosen.number() + " is locked until "
                            + Instant.ofEpochMilli(lock.lockedUntilMs())
                            + ", and a receiver may be processing it. Wait, or unlock it first.");
        }
        return chosen.lane() == Lane.SCHEDULED && queue.cancelHolder(chosen.number()) != 0
                ? new Rejection(
                        ErrorCode.SERVER_BUSY,
                        "The scheduled message " + chosen.number() + " is being canceled by another request.")
                : null;
    }

    private static Record removal(Chosen chosen) {
        StoredMessage stored = chosen.row().message();
        QueuedMessageView message = chosen.message();
        return chosen.lane() == Lane.SCHEDULED
                ? new Record.ScheduledMessageCancelled(
                        chosen.number(), stored.scheduledEnqueueTimeMs(), stored.sizeBytes())
                : new Record.MessageRemoved(
                        chosen.lane(),
                        chosen.number(),
                        message.sizeBytes(),
                        message.deferred(),
                        message.changed(),
                        Record.RemovalCause.DELETED,
                        message.sharedBody(),
                        message.sessionId());
    }

    private static Origin origin(Chosen chosen) {
        StoredMessage stored = chosen.row().message();
        MessageEnvelope there = MessageEnvelope.builder()
                .sequenceNumber(stored.sequenceNumber())
                .enqueuedTimeMs(stored.enqueuedTimeMs())
                .expiresAtMs(stored.expiresAtMs())
                .deliveryCount(chosen.message().deliveryCount())
                .deadLetterSource(stored.deadLetterSource())
                .build();
        return new Origin(chosen.lane() == Lane.DEAD_LETTER ? Lane.DEAD_LETTER : Lane.MAIN, there);
    }

    private static Decision deadLetter(QueueView queue, Chosen chosen, Command.ChangeMessage command, Situation now) {
        if (chosen.lane() != Lane.MAIN) {
            return Decision.reject(
                    ErrorCode.INVALID_OPERATION,
                    chosen.lane() == Lane.SCHEDULED
                            ? "The message " + chosen.number()
                                    + " is scheduled, so it cannot be dead-lettered. Deliver it now, or delete it."
                            : "A message in a dead-letter queue cannot be dead-lettered.");
        }
        QueuedMessageView message = chosen.message();
        Map<String, EncodedValue> overrides = FailedDelivery.merge(
                message.overrides(), SettlementDecisions.reasons(command.reason(), command.description()));
        return Decision.done(
                List.of(FailedDelivery.deadLettered(queue, message, message.deliveryCount(), overrides, 0, now)));
    }

    private static Decision unlock(QueueView queue, Chosen chosen, Situation now) {
        LockView lock = chosen.lock();
        if (lock == null) {
            return Decision.reject(ErrorCode.INVALID_OPERATION, "The message " + chosen.number() + " is not locked.");
        }
        if (lock.session() != null) {
            return Decision.reject(
                    ErrorCode.INVALID_OPERATION,
                    "The message " + chosen.number() + " is locked with its session. Unlock the session instead.");
        }
        if (lock.transactionId() != 0) {
            return Decision.reject(
                    ErrorCode.INVALID_OPERATION,
                    "The message " + chosen.number()
                            + " is settled in an open transaction, which ends within two minutes.");
        }
        return Decision.done(List.of(FailedDelivery.released(queue, lock, now)));
    }
}
