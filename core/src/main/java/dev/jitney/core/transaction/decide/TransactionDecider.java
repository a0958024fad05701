package dev.jitney.core.transaction.decide;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.Situation;
import dev.jitney.core.queue.decide.QueueDecider;
import dev.jitney.core.queue.decide.TransferDecisions;
import dev.jitney.core.topic.FanOut;
import dev.jitney.core.transaction.Participant;
import dev.jitney.core.transaction.TransactionView;
import dev.jitney.core.transaction.TransactionView.Share;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides operations inside transactions, their commit and their rollback. Reads entities and transactions, never writes
 * them.
 */
public final class TransactionDecider {

    private TransactionDecider() {}

    /**
     * What one entity contributes to an outcome.
     *
     * @param messages what was sent to the entity with it, to be counted
     * @param sent the answer to that, null if nothing was sent
     */
    public record Step(
            Participant participant,
            List<Record> records,
            List<FanOut.Copy> copies,
            List<IncomingMessage> messages,
            Reply.@Nullable Sent sent) {

        /** Something other than sending. */
        public static Step of(Participant participant, List<Record> records) {
            return new Step(participant, records, List.of(), List.of(), null);
        }

        /** What sending messages leads to. */
        public static Step sending(Participant participant, List<IncomingMessage> messages, FanOut fanOut) {
            return new Step(
                    participant,
                    fanOut.records(),
                    fanOut.copies(),
                    messages,
                    fanOut.reply() instanceof Reply.Sent sent ? sent : null);
        }
    }

    /**
     * What a commit leads to, in the order to be applied, or why it cannot be.
     *
     * @param steps empty if it is refused
     */
    public record Commit(List<Step> steps, @Nullable Rejection rejection) {}

    /**
     * What an operation leads to at once: the answer, and records that freeze locks or reserve numbers. What is not part
     * of a transaction (receiving, renewing, peeking) happens as it would outside (TX-2, TX-21).
     *
     * @param schedule whether the sender wants to know the numbers of messages to be scheduled
     */
    public static Decision decide(
            TransactionView transaction, Participant entity, Command command, boolean schedule, Situation now) {
        return switch (command.kind()) {
            case SEND_MESSAGES -> send(transaction, entity, (Command.SendMessages) command, schedule, now);
            case CANCEL_SCHEDULED_MESSAGES ->
                cancel(transaction, entity, (Command.CancelScheduledMessages) command, now);
            case COMPLETE_MESSAGES, ABANDON_MESSAGES, RELEASE_MESSAGES, DEFER_MESSAGES, DEAD_LETTER_MESSAGES ->
                settle(transaction, entity, (Command.Settlement) command, now);
            case SET_SESSION_STATE -> setState(transaction, entity, (Command.SetSessionState) command, now);
            case GET_SESSION_STATE -> state(transaction, entity, (Command.GetSessionState) command, now);
            case RECEIVE_DEFERRED_MESSAGES -> receive(entity, (Command.ReceiveDeferredMessages) command, now);
            case BATCH_DELETE_MESSAGES ->
                Decision.reject(ErrorCode.INVALID_OPERATION, "A batch delete cannot be part of a transaction.");
            case RENEW_LOCKS,
                    PEEK_MESSAGES,
                    GET_LOCKED_MESSAGE,
                    ATTACH_RECEIVER,
                    SET_CREDIT,
                    DETACH_RECEIVER,
                    ACCEPT_SESSION,
                    RENEW_SESSION_LOCK,
                    LIST_SESSIONS,
                    SET_SESSION_LISTENERS,
                    TWO_PHASE,
                    GET_COUNTS -> QueueDecider.decide(entity.state(), command, now);
        };
    }

    private static Decision settle(
            TransactionView transaction, Participant entity, Command.Settlement settlement, Situation now) {
        Decision tooMuch = bounded(transaction, settlement.lockTokens().size());
        return tooMuch != null ? tooMuch : QueueDecider.hold(entity.state(), settlement, transaction.id(), now);
    }

    private static Decision setState(
            TransactionView transaction, Participant entity, Command.SetSessionState set, Situation now) {
        Decision tooMuch = bounded(transaction, 1);
        return tooMuch != null ? tooMuch : QueueDecider.freeze(entity.state(), set, now);
    }

    private static Decision receive(Participant entity, Command.ReceiveDeferredMessages receive, Situation now) {
        return receive.mode() == ReceiveMode.RECEIVE_AND_DELETE
                ? Decision.reject(
                        ErrorCode.INVALID_OPERATION,
                        "Messages cannot be received and deleted in a transaction, because receiving is not part of it."
                                + " Receive them in peek-lock mode and complete them in the transaction.")
                : QueueDecider.decide(entity.state(), receive, now);
    }

    /** What sending to an entity of another shard leads to at once: the answer. */
    public static Decision decide(TransactionView transaction, Destination destination, Command.SendMessages send) {
        int count = send.messages().size();
        Decision tooMany = tooMany(transaction, count);
        if (tooMany != null) {
            return tooMany;
        }
        Rejection refusal = destination.refuse(send.messages());
        return refusal != null ? Decision.reject(refusal) : Decision.reply(new Reply.Sent(new long[count]));
    }

    private static @Nullable Decision tooMany(TransactionView transaction, int more) {
        int count = transaction.messageCount() + more;
        return count <= TransactionView.MESSAGES_MAX // TX-8
                ? null
                : Decision.reject(
                        ErrorCode.INVALID_OPERATION,
                        "Expected at most " + TransactionView.MESSAGES_MAX
                                + " messages in a transaction, but there would be " + count + ".");
    }

    private static Decision send(
            TransactionView transaction,
            Participant entity,
            Command.SendMessages send,
            boolean schedule,
            Situation now) {
        int count = send.messages().size();
        Decision tooMany = tooMany(transaction, count);
        if (tooMany != null) {
            return tooMany;
        }
        FanOut judged = entity.send(send, now);
        if (judged.rejection() != null) {
            return Decision.reject(judged.rejection());
        }
        return schedule
                ? QueueDecider.reserve(entity.state(), count)
                : Decision.reply(new Reply.Sent(new long[count])); // numbers are given out at the commit (SEQ-1)
    }

    private static Decision cancel(
            TransactionView transaction, Participant entity, Command.CancelScheduledMessages cancel, Situation now) {
        Decision tooMuch = bounded(transaction, cancel.sequenceNumbers().size());
        if (tooMuch != null) {
            return tooMuch;
        }
        List<Long> numbers = new ArrayList<>(cancel.sequenceNumbers());
        Share share = transaction.share(entity.entityId());
        if (share != null) {
            numbers.addAll(share.cancelled()); // none may be named twice
        }
        Decision judged = QueueDecider.decide(entity.state(), new Command.CancelScheduledMessages(numbers), now);
        return judged.rejection() != null ? judged : Decision.done(List.of());
    }

    /** A transaction sees the state it has set itself. */
    private static Decision state(
            TransactionView transaction, Participant entity, Command.GetSessionState get, Situation now) {
        Decision committed = QueueDecider.decide(entity.state(), get, now);
        Share share = transaction.share(entity.entityId());
        if (committed.rejection() == null && share != null) {
            for (int i = share.states().size() - 1; i >= 0; i--) {
                Command.SetSessionState set = share.states().get(i);
                if (set.session().sessionId().equals(get.sessionId())) {
                    return Decision.reply(new Reply.SessionState(set.state()));
                }
            }
        }
        return committed;
    }

    private static @Nullable Decision bounded(TransactionView transaction, int more) {
        int most = TransactionView.OTHER_OPERATIONS_MAX;
        return transaction.otherOperations() + more <= most
                ? null
                : Decision.reject(
                        ErrorCode.INVALID_OPERATION,
                        "Expected at most " + most + " settlements and cancels in a transaction.");
    }

    /**
     * What committing leads to. Everything is decided here, and whatever has to be read is read here, before the first
     * record is applied; so nothing is refused half-way, and all of it is in one batch (TX-12).
     *
     * @param entities those that are there, by number
     */
    public static Commit commit(
            TransactionView transaction, LongFunction<@Nullable Participant> entities, Situation now) {
        Rejection spoiled = transaction.spoiled();
        if (spoiled != null) {
            return refused(spoiled);
        }
        List<Step> steps = new ArrayList<>();
        List<Long> destinationIds = new ArrayList<>();
        List<IncomingMessage> transfers = new ArrayList<>();
        for (Map.Entry<Long, ? extends Share> entry : transaction.shares().entrySet()) {
            long entityId = entry.getKey();
            Share share = entry.getValue();
            List<IncomingMessage> messages =
                    entityId == transaction.viaEntityId() ? share.messages() : transferred(share.messages());
            Participant entity = entities.apply(entityId);
            Rejection refusal = entity == null
                    ? new Rejection(ErrorCode.ENTITY_NOT_FOUND, "A messaging entity it works with was deleted.")
                    : commit(transaction, entity, share, messages, steps, now);
            if (refusal != null && entityId != transaction.viaEntityId() && share.onlySends()) {
                // In another shard, or it has become unable to take messages, which does not undo the commit (TX-24).
                messages.forEach(message -> destinationIds.add(entityId));
                transfers.addAll(messages);
            } else if (refusal != null) {
                return refused(refusal);
            }
        }
        if (!transfers.isEmpty()) {
            Participant via = entities.apply(transaction.viaEntityId());
            if (via == null || !now.storeAcceptsGrowth()) {
                return refused(Rejection.of(via == null ? ErrorCode.ENTITY_NOT_FOUND : ErrorCode.QUOTA_EXCEEDED));
            }
            long after = via.state().lastSequenceNumber();
            for (Step step : steps) {
                if (step.participant() == via && step.sent() != null) {
                    after = Math.max(
                            after,
                            Arrays.stream(step.sent().sequenceNumbers()).max().orElse(0));
                }
            }
            steps.add(Step.of(via, TransferDecisions.queue(after, destinationIds, transfers)));
        }
        return new Commit(steps, null);
    }

    /** What goes to another entity by way of the first one has made a transfer (DLQ-29), wherever the two are kept. */
    private static List<IncomingMessage> transferred(List<IncomingMessage> messages) {
        return messages.stream()
                .map(message -> message.with(message.envelope().handedOn(1, 0, null)))
                .toList();
    }

    /** The refusal of its commit. */
    private static Rejection rolledBack(Rejection reason) {
        return new Rejection(
                ErrorCode.TRANSACTION_ROLLBACK,
                "The transaction was rolled back, because one of its operations was refused: " + reason.description());
    }

    private static Commit refused(Rejection reason) {
        return new Commit(List.of(), rolledBack(reason));
    }

    private static @Nullable Rejection commit(
            TransactionView transaction,
            Participant entity,
            Share share,
            List<IncomingMessage> messages,
            List<Step> steps,
            Situation now) {
        for (Command.Settlement settlement : share.settlements()) {
            Decision decision = QueueDecider.settleHeld(entity.state(), settlement, transaction.id(), now);
            if (decision.rejection() != null) {
                return decision.rejection();
            }
            steps.add(Step.of(entity, decision.records()));
        }
        for (Command.SetSessionState set : share.states()) {
            Decision decision = QueueDecider.setFrozenState(entity.state(), set, now);
            if (decision.rejection() != null) {
                return decision.rejection();
            }
            steps.add(Step.of(entity, decision.records()));
        }
        if (!share.cancelled().isEmpty()) {
            Decision decision =
                    QueueDecider.decide(entity.state(), new Command.CancelScheduledMessages(share.cancelled()), now);
            if (decision.rejection() != null) {
                return decision.rejection();
            }
            steps.add(Step.of(entity, decision.records()));
        }
        if (!messages.isEmpty()) {
            FanOut fanOut = entity.send(new Command.SendMessages(messages, share.reservedNumbers()), now);
            if (fanOut.rejection() != null) {
                return fanOut.rejection();
            }
            steps.add(Step.sending(entity, messages, fanOut));
        }
        return null;
    }

    /** What rolling back leads to: its locks run again (T-34), everything else was never seen. */
    public static List<Step> rollback(TransactionView transaction, LongFunction<@Nullable Participant> entities) {
        List<Step> steps = new ArrayList<>();
        for (Map.Entry<Long, ? extends Share> entry : transaction.shares().entrySet()) {
            Participant entity = entities.apply(entry.getKey());
            if (entity != null) {
                for (Command.Settlement settlement : entry.getValue().settlements()) {
                    steps.add(Step.of(entity, QueueDecider.free(settlement)));
                }
                for (Command.SetSessionState set : entry.getValue().states()) {
                    steps.add(Step.of(entity, QueueDecider.thaw(set)));
                }
            }
        }
        return steps;
    }
}
