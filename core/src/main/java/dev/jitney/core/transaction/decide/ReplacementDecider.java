package dev.jitney.core.transaction.decide;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.Situation;
import dev.jitney.core.queue.ForwardedMessage;
import dev.jitney.core.queue.decide.QueueDecider;
import dev.jitney.core.queue.decide.TakenMessage;
import dev.jitney.core.queue.decide.TransferDecisions;
import dev.jitney.core.topic.FanOut;
import dev.jitney.core.transaction.Participant;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The decision to remove a message and to send another one in its place, both or neither: resubmission, a move, or an edit by an
 * operator. It reads entities and never writes them.
 */
public final class ReplacementDecider {

    private ReplacementDecider() {}

    /**
     * The message to remove.
     *
     * @param entity the entity that has it
     */
    public record Removed(Participant entity, SubQueue subQueue, long sequenceNumber) {}

    /** Decides a replacement by a message for an entity of the same shard. */
    public static TransactionDecider.Commit decide(
            Removed removed, Participant destination, IncomingMessage message, Situation now) {
        TakenMessage taken = take(removed, now);
        if (taken.rejection() != null) {
            return refused(taken.rejection());
        }
        List<IncomingMessage> messages = List.of(message);
        FanOut publication = destination.send(new Command.SendMessages(messages), now);
        Rejection refusal = publication.rejection();
        if (refusal == null
                && publication.reply() instanceof Reply.Sent sent
                && !sent.duplicates().isEmpty()) {
            refusal = new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "The destination would drop the message " + removed.sequenceNumber()
                            + " as a duplicate, because it has accepted another one with the same MessageId. Give it a new"
                            + " MessageId.");
        }
        return refusal != null
                ? refused(refusal)
                : new TransactionDecider.Commit(
                        List.of(
                                removal(removed, taken),
                                TransactionDecider.Step.sending(destination, messages, publication)),
                        null);
    }

    /**
     * Decides a replacement by a message for an entity of another shard, which gets it through the outbox. If that entity never accepts
     * it, the message comes back to the dead-letter queue or to the transfer dead-letter queue of the first one.
     */
    public static TransactionDecider.Commit decide(
            Removed removed, Destination destination, IncomingMessage message, Situation now) {
        TakenMessage taken = take(removed, now);
        Rejection refusal = taken.rejection() != null ? taken.rejection() : destination.refuse(List.of(message));
        if (refusal == null && !now.storeAcceptsGrowth()) {
            refusal = Rejection.of(ErrorCode.QUOTA_EXCEEDED);
        }
        if (refusal != null) {
            return refused(refusal);
        }
        ForwardedMessage forwarded =
                new ForwardedMessage(message, Objects.requireNonNull(taken.origin()), taken.removal());
        Participant entity = removed.entity();
        return new TransactionDecider.Commit(
                List.of(
                        removal(removed, taken),
                        TransactionDecider.Step.of(
                                entity,
                                List.of(TransferDecisions.queue(
                                        entity.state().lastSequenceNumber(), destination.entityId(), forwarded)))),
                null);
    }

    private static TakenMessage take(Removed removed, Situation now) {
        return QueueDecider.take(removed.entity().state(), removed.subQueue(), removed.sequenceNumber(), now);
    }

    private static TransactionDecider.Step removal(Removed removed, TakenMessage taken) {
        return TransactionDecider.Step.of(removed.entity(), List.of(Objects.requireNonNull(taken.removal())));
    }

    private static TransactionDecider.Commit refused(@Nullable Rejection reason) {
        return new TransactionDecider.Commit(List.of(), reason);
    }
}
