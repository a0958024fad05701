package dev.jitney.core.queue.decide;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.TimerRow;
import dev.jitney.core.Situation;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.queue.LockView;
import dev.jitney.core.queue.QueueView;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** The decisions on commands for one fragment of a queue. They read the state and never write it. */
public final class QueueDecider {

    /** The maximum content of due messages in memory at a time; the last message may exceed it. */
    static final long DUE_BYTES_MAX = 4L << 20;

    private QueueDecider() {}

    /** Decides a command of a gateway. */
    public static Decision decide(QueueView queue, Command command, Situation now) {
        return decide(queue, command, SettlementDecisions.NOBODY, now);
    }

    /**
     * Decides a command.
     *
     * @param holder the transaction or request that has held the locks of a settlement since its check, or 0
     */
    private static Decision decide(QueueView queue, Command command, long holder, Situation now) {
        return switch (command.kind()) {
            case SEND_MESSAGES -> SendDecisions.send(queue, (Command.SendMessages) command, now);
            case SET_CREDIT -> ReceiveDecisions.setCredit(queue, (Command.SetCredit) command);
            case COMPLETE_MESSAGES ->
                SettlementDecisions.complete(queue, (Command.CompleteMessages) command, holder, now);
            case ABANDON_MESSAGES -> SettlementDecisions.abandon(queue, (Command.AbandonMessages) command, holder, now);
            case RELEASE_MESSAGES -> SettlementDecisions.release(queue, (Command.ReleaseMessages) command, holder, now);
            case DEFER_MESSAGES -> SettlementDecisions.defer(queue, (Command.DeferMessages) command, holder, now);
            case DEAD_LETTER_MESSAGES ->
                SettlementDecisions.deadLetter(queue, (Command.DeadLetterMessages) command, holder, now);
            case RENEW_LOCKS ->
                SettlementDecisions.renew(queue, (Command.RenewLocks) command, SettlementDecisions.ANYBODY, now);
            case ATTACH_RECEIVER -> ReceiveDecisions.attach(queue, (Command.AttachReceiver) command);
            case DETACH_RECEIVER -> SessionDecisions.detach(queue, (Command.DetachReceiver) command, now);
            case RECEIVE_DEFERRED_MESSAGES ->
                ReceiveDecisions.receiveDeferred(queue, (Command.ReceiveDeferredMessages) command, now);
            case CANCEL_SCHEDULED_MESSAGES ->
                SendDecisions.cancel(queue, (Command.CancelScheduledMessages) command, holder, now);
            case TWO_PHASE -> TwoPhaseDecisions.decide(queue, (Command.TwoPhase) command, now);
            case PEEK_MESSAGES -> BrowseDecisions.peek(queue, (Command.PeekMessages) command, now);
            case SEARCH_MESSAGES -> SearchDecisions.search(queue, (Command.SearchMessages) command, now);
            case EXPLAIN_SEND ->
                Decision.reply(new Reply.Explained(
                        SendDecisions.explain(queue, ((Command.ExplainSend) command).message(), now)));
            case CHANGE_MESSAGE -> ChosenMessages.change(queue, (Command.ChangeMessage) command, now);
            case GET_LOCKED_MESSAGE -> SettlementDecisions.look(queue, (Command.GetLockedMessage) command, now);
            case BATCH_DELETE_MESSAGES ->
                BrowseDecisions.batchDelete(queue, (Command.BatchDeleteMessages) command, now);
            case SET_SESSION_LISTENERS -> SessionDecisions.setListeners((Command.SetSessionListeners) command);
            case GET_COUNTS -> Decision.reply(new Reply.Counts(queue.counts()));
            case ACCEPT_SESSION -> SessionDecisions.accept(queue, (Command.AcceptSession) command, now);
            case RENEW_SESSION_LOCK -> SessionDecisions.renew(queue, (Command.RenewSessionLock) command, now);
            case GET_SESSION_STATE -> SessionDecisions.state(queue, (Command.GetSessionState) command, now);
            case SET_SESSION_STATE -> SessionDecisions.setState(queue, (Command.SetSessionState) command, now);
            case BROWSE_SESSIONS -> ChosenSessions.browse(queue, (Command.BrowseSessions) command, now);
            case READ_SESSION -> ChosenSessions.read(queue, (Command.ReadSession) command, now);
            case CHANGE_SESSION -> ChosenSessions.change(queue, (Command.ChangeSession) command, now);
            case LIST_SESSIONS -> SessionDecisions.list(queue, (Command.ListSessions) command, now);
        };
    }

    /**
     * Checks a settlement inside a transaction. If it is valid, its locks last until the outcome, and no other client can
     * settle them (T-33, TX-13, TX-15).
     *
     * @param transactionId above 0
     */
    public static Decision hold(QueueView queue, Command.Settlement settlement, long transactionId, Situation now) {
        Decision judged = decide(queue, settlement, now);
        Reply reply = judged.reply();
        if (reply == null) {
            return judged;
        }
        List<Record> records = new ArrayList<>();
        for (UUID token : settlement.lockTokens()) {
            records.add(new Record.SettlementHeld(token, transactionId));
        }
        return Decision.of(records, reply);
    }

    /** Decides a settlement of a transaction at the commit. Refused only if the message has been removed. */
    public static Decision settleHeld(
            QueueView queue, Command.Settlement settlement, long transactionId, Situation now) {
        return decide(queue, settlement, transactionId, now);
    }

    /** Returns the records that free the locks of a settlement at the rollback (T-34). */
    public static List<Record> free(Command.Settlement settlement) {
        List<Record> records = new ArrayList<>();
        for (UUID token : settlement.lockTokens()) {
            records.add(new Record.SettlementFreed(token));
        }
        return records;
    }

    /** Checks a change of session state inside a transaction; the session is held until the outcome (TX-20). */
    public static Decision freeze(QueueView queue, Command.SetSessionState command, Situation now) {
        return SessionDecisions.freeze(queue, command, now);
    }

    /** Decides such a change at the commit. */
    public static Decision setFrozenState(QueueView queue, Command.SetSessionState command, Situation now) {
        return SessionDecisions.setFrozenState(queue, command, now);
    }

    /** Returns the records that free the session of such a change at the rollback. */
    public static List<Record> thaw(Command.SetSessionState command) {
        return List.of(new Record.SessionThawed(command.session().sessionId()));
    }

    /**
     * Decides the removal of a message that an operator has chosen, in any state except locked, because another message
     * replaces it.
     */
    public static TakenMessage take(QueueView queue, SubQueue subQueue, long sequenceNumber, Situation now) {
        return ChosenMessages.take(queue, subQueue, sequenceNumber, now);
    }

    /**
     * Decides to remove everything in the entity: all messages in all states, session states, and the history of duplicate
     * detection. Holds on sessions end. Receivers and messages in the outbox stay. The reply is the number of messages.
     */
    public static Decision reset(QueueView queue, Situation now) {
        return ResetDecisions.reset(queue, now);
    }

    /**
     * Decides that the locks of all messages and sessions end now, as if their time was over, except those that an open
     * transaction uses.
     */
    public static List<Record> loseLocks(QueueView queue, Situation now) {
        return ResetDecisions.loseLocks(queue, now);
    }

    /** Decides that the lock of one message ends now, with the hold on its session if there is one. */
    public static List<Record> loseLock(LockView lock, Situation now) {
        return ResetDecisions.loseLock(lock, now);
    }

    /** Reserves numbers for messages that a transaction schedules at its commit (SCHED-5). */
    public static Decision reserve(QueueView queue, int count) {
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = queue.lastSequenceNumber() + 1 + i;
        }
        return Decision.of(
                List.of(new Record.SequenceNumbersReserved(queue.lastSequenceNumber() + count)),
                new Reply.Sent(numbers));
    }

    /** Returns the refusal of a number that no scheduled message has. */
    public static Rejection noScheduledMessage(long number) {
        return SendDecisions.noScheduledMessage(number);
    }

    /**
     * Decides the effects of time: ended locks, due scheduled messages, expired messages.
     *
     * @param countMax the maximum number of messages to move; if more are due, the next call continues
     */
    public static Decision decideTimers(QueueView queue, Situation now, int countMax) {
        return TimerDecisions.decide(queue, now, countMax);
    }

    /**
     * Decides the ended locks in the transfer dead-letter queue of a topic (LOCK-7, DLQ-33).
     *
     * @param countMax the maximum number of messages to move; if more are due, the next call continues
     */
    public static Decision endLocks(QueueView topic, Situation now, int countMax) {
        return TimerDecisions.endLocks(topic, now, countMax);
    }

    /**
     * Returns scheduled messages of a topic that are due, in the order of their time (SCHED-3, SCHED-7). The list ends
     * with the message that reaches {@link #DUE_BYTES_MAX} bytes of content.
     *
     * @param countMax the maximum number of messages
     */
    public static List<DueMessage> dueMessages(QueueView topic, Situation now, int countMax) {
        List<DueMessage> due = new ArrayList<>();
        long bytes = 0;
        for (TimerRow timer : topic.dueTimers(now.nowMs(), countMax)) {
            StoredMessage message = now.rows().stored(topic.id(), Lane.SCHEDULED, timer.sequenceNumber());
            due.add(new DueMessage(timer.dueMs(), message));
            bytes += message.content().sizeBytes();
            if (bytes >= DUE_BYTES_MAX) {
                break;
            }
        }
        return due;
    }

    /** A scheduled message that is due. */
    public record DueMessage(long dueMs, StoredMessage message) {}

    /**
     * Returns whether receivers of a lane have credit for more messages than are available. Then unclaimed locks must be
     * released (PART-60).
     */
    public static boolean isStarved(QueueView queue) {
        return UnclaimedDecisions.isStarved(queue);
    }

    /**
     * Returns unclaimed locks of messages that another receiver needs because no other message is available for it
     * (PART-13, PART-60). The smallest numbers come first, and the list is no longer than needed.
     *
     * @param unclaimed tokens of unclaimed locks; tokens without a lock are skipped
     */
    public static List<UUID> wantedElsewhere(QueueView queue, Collection<UUID> unclaimed) {
        return UnclaimedDecisions.wantedElsewhere(queue, unclaimed);
    }

    /**
     * Releases unclaimed locks, because their time has ended or another receiver needs their messages (PART-60, STATE-5).
     * No failed delivery is counted.
     *
     * @param tokens tokens without a lock are skipped
     */
    public static List<Record> releaseUnclaimed(QueueView queue, Collection<UUID> tokens, Situation now) {
        return UnclaimedDecisions.release(queue, tokens, now);
    }

    /**
     * Assigns available sessions and messages to receivers with credit.
     *
     * @param countMax the maximum number of deliveries; if more are possible, the next call continues
     */
    public static Decision decideDeliveries(QueueView queue, Situation now, int countMax) {
        return DeliveryDecisions.decide(queue, now, countMax);
    }
}
