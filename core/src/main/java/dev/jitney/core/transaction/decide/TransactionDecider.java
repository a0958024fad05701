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
 * The decisions on operations inside transactions, their commit and their rollback. They read entities and transactions
 * and never write them.
 */
public final class TransactionDecider {

    private TransactionDecider() {}

    /**
     * The changes of one entity at the outcome of a transaction.
     *
     * @param messages the messages sent to the entity, for metering
     * @param sent the reply to that send, null if nothing was sent
     */
    public record Step(
            Participant participant,
            List<Record> records,
            List<FanOut.Copy> copies,
            List<IncomingMessage> messages,
            Reply.@Nullable Sent sent) {

        /** Returns a step without messages. */
        public static Step of(Participant participant, List<Record> records) {
            return new Step(participant, records, List.of(), List.of(), null);
        }

        /** Returns the step of a send. */
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
     * The result of a commit: the steps in the order to apply them, or the refusal.
     *
     * @param steps empty if the commit is refused
     */
    public record Commit(List<Step> steps, @Nullable Rejection rejection) {}

    /**
     * Decides the immediate effect of an operation: the reply, and records that hold locks or reserve numbers. Operations
     * that are not part of a transaction (receiving, renewing, peeking) have their normal effect (TX-2, TX-21).
     *
     * @param schedule whether the sender needs the numbers of scheduled messages
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
            case CHANGE_MESSAGE, CHANGE_SESSION ->
                Decision.reject(
                        ErrorCode.INVALID_OPERATION, "The change of an operator cannot be part of a transaction.");
            case RENEW_LOCKS,
                    PEEK_MESSAGES,
                    SEARCH_MESSAGES,
                    EXPLAIN_SEND,
                    GET_LOCKED_MESSAGE,
                    ATTACH_RECEIVER,
                    SET_CREDIT,
                    DETACH_RECEIVER,
                    ACCEPT_SESSION,
                    RENEW_SESSION_LOCK,
                    LIST_SESSIONS,
                    BROWSE_SESSIONS,
                    READ_SESSION,
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

    /** Decides the immediate effect of a send to an entity of another shard, which is only the reply. */
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
                        "Expected at most " + TransactionView.MESSAGES_MAX + " messages in a transaction, but got "
                                + count + ".");
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
                : Decision.reply(new Reply.Sent(new long[count])); // numbers are assigned at the commit (SEQ-1)
    }

    private static Decision cancel(
            TransactionView transaction, Participant entity, Command.CancelScheduledMessages cancel, Situation now) {
        Decision tooMuch = bounded(transaction, cancel.sequenceNumbers().size());
        if (tooMuch != null) {
            return tooMuch;
        }
        Share share = transaction.share(entity.entityId());
        for (long number : cancel.sequenceNumbers()) {
            if (share != null && share.cancels(number)) {
                return Decision.reject(QueueDecider.noScheduledMessage(number));
            }
        }
        Decision judged = QueueDecider.decide(entity.state(), cancel, now);
        return judged.rejection() != null ? judged : Decision.done(List.of());
    }

    /** Reads the state of a session, including a change by the transaction itself. */
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
                        "Expected at most " + most + " settlements and cancellations in a transaction, but got more.");
    }

    /**
     * Decides a commit. All decisions and reads happen here before the first record is applied. So no part is refused
     * after others were applied, and all records are in one batch (TX-12).
     *
     * @param entities returns the existing entities by number
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
                    ? new Rejection(ErrorCode.ENTITY_NOT_FOUND, "A messaging entity of the transaction was deleted.")
                    : commit(transaction, entity, share, messages, steps, now);
            if (refusal != null && entityId != transaction.viaEntityId() && share.onlySends()) {
                // The entity is in another shard, or can no longer accept messages, which does not undo the commit
                // (TX-24).
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

    /**
     * Returns messages with one more transfer. A message to an entity other than the first one has made a transfer
     * (DLQ-29), regardless of the shards.
     */
    private static List<IncomingMessage> transferred(List<IncomingMessage> messages) {
        return messages.stream()
                .map(message -> message.with(message.envelope().handedOn(1, 0, null)))
                .toList();
    }

    /** Returns the refusal of the commit. */
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

    /**
     * Returns the steps of a rollback: the times of its locks count again (T-34), and its other operations have no
     * effect.
     */
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
