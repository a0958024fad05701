package dev.jitney.core;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request of a gateway or a timer to one queue. A command is a value; the shard adds the time when it decides
 * (semantics chapter 1, "Time is an argument").
 *
 * <p>Every command of a gateway is answered exactly once, with the {@link Reply} that the command documents or with a
 * {@link dev.jitney.model.Rejection}.
 */
public sealed interface Command {

    /** Returns the kind, which has a case in every dispatch and a row in the table of traits. */
    CommandKind kind();

    /** A command that names messages by their lock tokens. */
    sealed interface NamesLocks extends Command {

        List<UUID> lockTokens();
    }

    /** A command that names messages by their sequence numbers. */
    sealed interface NamesMessages extends Command {

        List<Long> sequenceNumbers();
    }

    /** A command that may name a session. */
    sealed interface NamesSession extends Command {

        /** Returns the session, or null if the command names none. */
        @Nullable
        String sessionId();
    }

    /** A command whose sender may hold a session. */
    sealed interface OfSessionHolder extends NamesSession {

        /** Returns the claimed hold, or null if the command claims none. */
        @Nullable
        SessionHold session();

        /** Returns the same command with another hold. */
        Command withSession(SessionHold other);

        @Override
        default @Nullable String sessionId() {
            SessionHold held = session();
            return held == null ? null : held.sessionId();
        }
    }

    /** A command that names a sub-queue of an entity. */
    sealed interface NamesSubQueue extends Command {

        SubQueue subQueue();
    }

    /** A command that several fragments of a partitioned entity can execute together ({@link TwoPhase}). */
    sealed interface Shareable extends Command {

        /**
         * Returns the share of one fragment.
         *
         * @param places indexes of the messages of the fragment among the messages that the command names
         */
        Shareable share(List<Integer> places);

        private static <T> List<T> pick(List<T> things, List<Integer> places) {
            return places.stream().map(things::get).toList();
        }
    }

    /**
     * Stores messages at the tail, all or none (MSG-8). Messages with a scheduled time in the future wait (T-2). Answered
     * by {@link Reply.Sent}.
     *
     * @param reservedNumbers empty, except at the commit of a transaction, whose messages have been checked one by one
     *     before. Then one entry per message: the number reserved for a scheduled message
     *     ({@link Record.SequenceNumbersReserved}), or 0
     */
    record SendMessages(List<IncomingMessage> messages, List<Long> reservedNumbers) implements Command {

        /** Creates a command for messages of a client. */
        public SendMessages(List<IncomingMessage> messages) {
            this(messages, List.of());
        }

        /** Returns whether the messages come from the commit of a transaction. */
        public boolean ofTransaction() {
            return !reservedNumbers.isEmpty();
        }

        /** Returns the number reserved for a message, or 0 if the message gets the next number. */
        public long reservedNumber(int index) {
            return reservedNumbers.isEmpty() ? 0 : reservedNumbers.get(index);
        }

        @Override
        public CommandKind kind() {
            return CommandKind.SEND_MESSAGES;
        }
    }

    /** Removes scheduled messages by number, all or none (SCHED-4). Answered by {@link Reply.Done}. */
    record CancelScheduledMessages(List<Long> sequenceNumbers) implements NamesMessages, Shareable {
        @Override
        public CancelScheduledMessages share(List<Integer> places) {
            return new CancelScheduledMessages(Shareable.pick(sequenceNumbers, places));
        }

        @Override
        public CommandKind kind() {
            return CommandKind.CANCEL_SCHEDULED_MESSAGES;
        }
    }

    /**
     * Registers a receiver, which gets no messages before {@link SetCredit}. Answered by {@link Reply.Done}.
     *
     * @param receiverId assigned outside the core, unique for the life of the process
     */
    record AttachReceiver(long receiverId, SubQueue subQueue, ReceiveMode mode) implements NamesSubQueue {
        @Override
        public CommandKind kind() {
            return CommandKind.ATTACH_RECEIVER;
        }
    }

    /**
     * Sets the total number of messages that a receiver accepts since it attached. As the number is a total, a change of
     * credit and a delivery that cross on the wire are never counted twice. A smaller number than before takes credit
     * back. With {@code drain} the receiver gets {@link Output.Drained} as soon as no more messages are available.
     * Answered by {@link Reply.Done}.
     */
    record SetCredit(long receiverId, long deliveryLimit, boolean drain) implements Command {
        @Override
        public CommandKind kind() {
            return CommandKind.SET_CREDIT;
        }
    }

    /**
     * Removes a receiver; its locks stay valid (LOCK-9). Answered by {@link Reply.Done}.
     *
     * @param givesBack true if no client has received the session that the receiver holds; the session then keeps its
     *     place (SESS-5)
     */
    record DetachReceiver(long receiverId, boolean givesBack) implements Command {

        /** Creates a command for a receiver that may have held a session. */
        public DetachReceiver(long receiverId) {
            this(receiverId, false);
        }

        @Override
        public CommandKind kind() {
            return CommandKind.DETACH_RECEIVER;
        }
    }

    /** Ends locks, all or none (LOCK-13). In a transaction a settlement takes effect at the commit. */
    sealed interface Settlement extends NamesLocks, Shareable {

        /** Returns the bytes of the properties that the settlement sets on each message. */
        default long propertyBytes() {
            return 0;
        }
    }

    /** Removes a locked message (T-11). Answered by {@link Reply.Done}. */
    record CompleteMessages(List<UUID> lockTokens) implements Settlement {
        @Override
        public CompleteMessages share(List<Integer> places) {
            return new CompleteMessages(Shareable.pick(lockTokens, places));
        }

        @Override
        public CommandKind kind() {
            return CommandKind.COMPLETE_MESSAGES;
        }
    }

    /** Unlocks messages as failed deliveries (T-12) and sets properties. Answered by {@link Reply.Done}. */
    record AbandonMessages(List<UUID> lockTokens, Map<String, EncodedValue> propertiesToModify) implements Settlement {
        @Override
        public long propertyBytes() {
            return MessageChange.sizeOf(propertiesToModify);
        }

        @Override
        public AbandonMessages share(List<Integer> places) {
            return new AbandonMessages(Shareable.pick(lockTokens, places), propertiesToModify);
        }

        @Override
        public CommandKind kind() {
            return CommandKind.ABANDON_MESSAGES;
        }
    }

    /** Unlocks messages without counting (LOCK-14). Answered by {@link Reply.Done}. */
    record ReleaseMessages(List<UUID> lockTokens) implements Settlement {
        @Override
        public ReleaseMessages share(List<Integer> places) {
            return new ReleaseMessages(Shareable.pick(lockTokens, places));
        }

        @Override
        public CommandKind kind() {
            return CommandKind.RELEASE_MESSAGES;
        }
    }

    /** Defers messages, which can then be received only by sequence number (T-15). Answered by {@link Reply.Done}. */
    record DeferMessages(List<UUID> lockTokens, Map<String, EncodedValue> propertiesToModify) implements Settlement {
        @Override
        public long propertyBytes() {
            return MessageChange.sizeOf(propertiesToModify);
        }

        @Override
        public DeferMessages share(List<Integer> places) {
            return new DeferMessages(Shareable.pick(lockTokens, places), propertiesToModify);
        }

        @Override
        public CommandKind kind() {
            return CommandKind.DEFER_MESSAGES;
        }
    }

    /**
     * Moves messages to the dead-letter queue (T-16). Answered by {@link Reply.Done}.
     *
     * @param reason null for none; cut after 4,096 characters (DLQ-13)
     * @param description null for none; cut after 4,096 characters (DLQ-13)
     */
    record DeadLetterMessages(
            List<UUID> lockTokens,
            @Nullable String reason,
            @Nullable String description,
            Map<String, EncodedValue> propertiesToModify)
            implements Settlement {
        @Override
        public long propertyBytes() {
            return (reason == null ? 0 : reason.length())
                    + (description == null ? 0 : description.length())
                    + MessageChange.sizeOf(propertiesToModify);
        }

        @Override
        public DeadLetterMessages share(List<Integer> places) {
            return new DeadLetterMessages(Shareable.pick(lockTokens, places), reason, description, propertiesToModify);
        }

        @Override
        public CommandKind kind() {
            return CommandKind.DEAD_LETTER_MESSAGES;
        }
    }

    /** Extends locks, all or none (LOCK-5, LOCK-13). Answered by {@link Reply.LocksRenewed}. */
    record RenewLocks(List<UUID> lockTokens) implements NamesLocks, Shareable {
        @Override
        public RenewLocks share(List<Integer> places) {
            return new RenewLocks(Shareable.pick(lockTokens, places));
        }

        @Override
        public CommandKind kind() {
            return CommandKind.RENEW_LOCKS;
        }
    }

    /**
     * Receives deferred messages by number, all or none (DEFER-4). Answered by {@link Reply.Messages}.
     *
     * @param session the session of the messages, which the caller holds (SESS-14); null if the entity has no sessions
     * @param answerBytesMax maximum content of an answer in bytes; if more than one message would exceed it, the command
     *     is refused before any message is locked or removed
     */
    record ReceiveDeferredMessages(
            SubQueue subQueue,
            List<Long> sequenceNumbers,
            ReceiveMode mode,
            @Nullable SessionHold session,
            long answerBytesMax)
            implements NamesMessages, NamesSubQueue, OfSessionHolder {

        /** Creates a command without a limit for its answer. */
        public ReceiveDeferredMessages(
                SubQueue subQueue, List<Long> sequenceNumbers, ReceiveMode mode, @Nullable SessionHold session) {
            this(subQueue, sequenceNumbers, mode, session, Long.MAX_VALUE);
        }

        public ReceiveDeferredMessages(SubQueue subQueue, List<Long> sequenceNumbers, ReceiveMode mode) {
            this(subQueue, sequenceNumbers, mode, null);
        }

        @Override
        public ReceiveDeferredMessages withSession(SessionHold other) {
            return new ReceiveDeferredMessages(subQueue, sequenceNumbers, mode, other, answerBytesMax);
        }

        @Override
        public CommandKind kind() {
            return CommandKind.RECEIVE_DEFERRED_MESSAGES;
        }
    }

    /**
     * Reads messages without locking them (PEEK-1). Answered by {@link Reply.Messages}, possibly empty, or by {@link Reply.Unfinished}.
     */
    record PeekMessages(
            SubQueue subQueue,
            long fromSequenceNumber,
            int messageCount,
            @Nullable String sessionId) implements NamesSubQueue {
        /** Returns the same command from another number on. */
        public PeekMessages from(long number) {
            return new PeekMessages(subQueue, number, messageCount, sessionId);
        }

        @Override
        public CommandKind kind() {
            return CommandKind.PEEK_MESSAGES;
        }
    }

    /**
     * Reads messages in some states that a filter takes, without locking them. It looks at few messages and says where to continue.
     * It works on disabled entities too, because operators use it. Answered by {@link Reply.Found}.
     *
     * @param fromSequenceNumber the smallest number
     * @param states at least one; the set must not change afterwards
     * @param filter takes the messages for which it is true; null takes all
     * @param messageCount the maximum of messages in the answer, at least 1
     */
    record SearchMessages(
            SubQueue subQueue,
            long fromSequenceNumber,
            Set<SearchState> states,
            @Nullable SearchFilter filter,
            int messageCount)
            implements NamesSubQueue {
        /** Returns the same search from another number on. */
        public SearchMessages from(long sequenceNumber) {
            return new SearchMessages(subQueue, sequenceNumber, states, filter, messageCount);
        }

        @Override
        public CommandKind kind() {
            return CommandKind.SEARCH_MESSAGES;
        }
    }

    /**
     * Explains the effects that a send of the message would have now, without sending it. It looks at few rules of a topic and says where
     * to continue. Operators use it, so it works on disabled entities too. Answered by {@link Reply.Explained}.
     *
     * @param from the place in a topic from which to continue; not used for queues
     * @param subscriptionsMax the maximum of subscriptions in the answer, at least 1
     */
    record ExplainSend(IncomingMessage message, SendExplanation.Position from, int subscriptionsMax)
            implements Command {
        @Override
        public CommandKind kind() {
            return CommandKind.EXPLAIN_SEND;
        }
    }

    /**
     * Changes one message that an operator has chosen, in any state. It works on disabled entities too. Refused with
     * {@link dev.jitney.model.ErrorCode#MESSAGE_NOT_FOUND} if there is no such message, and with
     * {@link dev.jitney.model.ErrorCode#INVALID_OPERATION} if its state does not allow the change. Answered by {@link Reply.Done}.
     *
     * @param reason of a dead letter, or null; cut after 4,096 characters (DLQ-13)
     * @param description of a dead letter, or null; cut after 4,096 characters (DLQ-13)
     */
    record ChangeMessage(
            SubQueue subQueue,
            long sequenceNumber,
            MessageAct act,
            @Nullable String reason,
            @Nullable String description)
            implements NamesMessages, NamesSubQueue {
        @Override
        public List<Long> sequenceNumbers() {
            return List.of(sequenceNumber);
        }

        @Override
        public CommandKind kind() {
            return CommandKind.CHANGE_MESSAGE;
        }
    }

    /**
     * Reads the message of a lock in any state. The HTTP gateway uses it to check the other parts of a URL with a lock
     * token (HTTP reference 3.1). Answered by {@link Reply.Locked}.
     */
    record GetLockedMessage(UUID lockToken) implements NamesLocks {
        @Override
        public List<UUID> lockTokens() {
            return List.of(lockToken);
        }

        @Override
        public CommandKind kind() {
            return CommandKind.GET_LOCKED_MESSAGE;
        }
    }

    /**
     * Removes the oldest unlocked active messages (PURGE-1). Answered by {@link Reply.Deleted}, or by {@link Reply.Unfinished}.
     *
     * @param sessionId the session whose messages are removed, or null for all messages
     * @param fromSequenceNumber the number from which the command continues, 0 at its begin
     * @param removed the number of messages that the command has removed before
     */
    record BatchDeleteMessages(
            SubQueue subQueue,
            int messageCount,
            long enqueuedBeforeMs,
            @Nullable String sessionId,
            long fromSequenceNumber,
            int removed)
            implements NamesSubQueue {

        public BatchDeleteMessages(
                SubQueue subQueue, int messageCount, long enqueuedBeforeMs, @Nullable String sessionId) {
            this(subQueue, messageCount, enqueuedBeforeMs, sessionId, 0, 0);
        }

        public BatchDeleteMessages(SubQueue subQueue, int messageCount, long enqueuedBeforeMs) {
            this(subQueue, messageCount, enqueuedBeforeMs, null);
        }

        /**
         * Returns the rest of the command.
         *
         * @param number the number from which it continues
         * @param more the number of messages that were removed meanwhile
         */
        public BatchDeleteMessages from(long number, int more) {
            return new BatchDeleteMessages(subQueue, messageCount, enqueuedBeforeMs, sessionId, number, removed + more);
        }

        @Override
        public CommandKind kind() {
            return CommandKind.BATCH_DELETE_MESSAGES;
        }
    }

    /**
     * Locks a session for a new receiver of the main queue (SESS-4, SESS-5). The receiver gets no messages before
     * {@link SetCredit}. Answered by {@link Reply.SessionAccepted}, or refused with
     * {@link dev.jitney.model.ErrorCode#SESSION_CANNOT_BE_LOCKED} or {@link dev.jitney.model.ErrorCode#TIMEOUT}. The
     * answer to a request for the next available session may come later. {@link DetachReceiver} ends the wait without an
     * answer; after the answer it ends the hold.
     *
     * @param receiverId as in {@link AttachReceiver}
     * @param sessionId the session, or null for the next available one
     * @param waitMs maximum wait for the next available session, milliseconds; not used for a named session
     */
    record AcceptSession(long receiverId, @Nullable String sessionId, ReceiveMode mode, long waitMs)
            implements NamesSubQueue {
        @Override
        public SubQueue subQueue() {
            return SubQueue.MAIN;
        }

        @Override
        public CommandKind kind() {
            return CommandKind.ACCEPT_SESSION;
        }
    }

    /** Extends the lock of a session (SESS-9). Answered by {@link Reply.LocksRenewed} with one time. */
    record RenewSessionLock(SessionHold session) implements OfSessionHolder {
        @Override
        public RenewSessionLock withSession(SessionHold other) {
            return new RenewSessionLock(other);
        }

        @Override
        public CommandKind kind() {
            return CommandKind.RENEW_SESSION_LOCK;
        }
    }

    /**
     * Reads the state of a session, held or not (SESS-15). Answered by {@link Reply.SessionState}.
     *
     * @param session the caller's hold, null if it has none. It says which partition has a session whose id a rule set.
     */
    record GetSessionState(String sessionId, @Nullable SessionHold session) implements OfSessionHolder {
        /** Reads the state of a session that the caller does not hold. */
        public GetSessionState(String sessionId) {
            this(sessionId, null);
        }

        @Override
        public GetSessionState withSession(SessionHold other) {
            return new GetSessionState(sessionId, other);
        }

        @Override
        public CommandKind kind() {
            return CommandKind.GET_SESSION_STATE;
        }
    }

    /**
     * Sets the state of a session (SESS-15). Answered by {@link Reply.Done}.
     *
     * @param state null to clear the state; must not change afterwards
     */
    record SetSessionState(SessionHold session, byte @Nullable [] state) implements OfSessionHolder {
        @Override
        public SetSessionState withSession(SessionHold other) {
            return new SetSessionState(other, state);
        }

        @Override
        public CommandKind kind() {
            return CommandKind.SET_SESSION_STATE;
        }
    }

    /**
     * Lists sessions in the order of their ids (SESS-17). Answered by {@link Reply.Sessions}, or by {@link Reply.Unfinished}.
     *
     * @param stateChangedAfterMs lists sessions whose state was set after this time, milliseconds since the epoch;
     *     {@link dev.jitney.model.MessageView#NEVER} to list sessions with active messages
     * @param afterSessionId the id after which the list starts, or null to start with the first
     * @param skip the number of sessions to skip after that
     * @param top the maximum number of sessions
     * @param before the result of the turns before
     */
    record ListSessions(
            long stateChangedAfterMs, @Nullable String afterSessionId, int skip, int top, SessionsListed before)
            implements Command {

        public ListSessions(long stateChangedAfterMs, @Nullable String afterSessionId, int skip, int top) {
            this(stateChangedAfterMs, afterSessionId, skip, top, SessionsListed.NONE);
        }

        /**
         * Returns the rest of the command.
         *
         * @param lastSessionId the id of the last session that it has looked at
         */
        public ListSessions after(String lastSessionId, SessionsListed listed) {
            return new ListSessions(stateChangedAfterMs, lastSessionId, skip, top, listed);
        }

        @Override
        public CommandKind kind() {
            return CommandKind.LIST_SESSIONS;
        }
    }

    /**
     * Lists sessions for an operator, with messages, state and holder. It looks at few sessions and says where to continue. It works on
     * disabled entities too. Answered by {@link Reply.SessionPage}.
     *
     * @param from the place where the list starts
     * @param contains lists sessions whose ids contain this text; empty for all
     * @param sessionCount the maximum of sessions in the answer, at least 1
     */
    record BrowseSessions(SessionPlace from, String contains, int sessionCount) implements Command {
        /** Returns the same list from another place on. */
        public BrowseSessions from(SessionPlace place) {
            return new BrowseSessions(place, contains, sessionCount);
        }

        @Override
        public CommandKind kind() {
            return CommandKind.BROWSE_SESSIONS;
        }
    }

    /** Reads one session for an operator, held or not. Answered by {@link Reply.SessionFound}. */
    record ReadSession(String sessionId, boolean withState) implements NamesSession {
        @Override
        public CommandKind kind() {
            return CommandKind.READ_SESSION;
        }
    }

    /**
     * Changes a session that an operator has chosen. It works on disabled entities too. Refused with
     * {@link dev.jitney.model.ErrorCode#MESSAGE_NOT_FOUND} if there is no such session, and with
     * {@link dev.jitney.model.ErrorCode#INVALID_OPERATION} if it has nothing to change, or if its holder may be using it. Answered by
     * {@link Reply.Done}.
     *
     * @param unlocks ends the hold now, as if its time had passed (SESS-11). If false, a held session is refused
     * @param clearsState removes the state
     */
    record ChangeSession(String sessionId, boolean unlocks, boolean clearsState) implements NamesSession {
        @Override
        public CommandKind kind() {
            return CommandKind.CHANGE_SESSION;
        }
    }

    /**
     * Sets whether a receiver holds or awaits a session of the partitioned entity in any fragment (TTL-31). Answered by
     * {@link Reply.Done}.
     */
    record SetSessionListeners(boolean listening) implements Command {
        @Override
        public CommandKind kind() {
            return CommandKind.SET_SESSION_LISTENERS;
        }
    }

    /**
     * One step of a two-phase commit, in which several queues execute a command together, all or none (LOCK-13, SCHED-4).
     * The queues are fragments of a partitioned entity, each with its share; the caller coordinates them. Answered with
     * the reply of the share.
     *
     * @param requestId above 0, not used by another request or transaction during the life of the process
     */
    record TwoPhase(Step step, Shareable share, long requestId) implements Command {
        /** The steps. {@link #PREPARE} comes first. A queue that refuses {@link #COMMIT} gets {@link #ABORT} as well. */
        public enum Step {
            /** Checks the share. Its messages stay as they are until the next step, even if their time runs out. */
            PREPARE,
            /**
             * Executes the share. Refused only if the messages have been deleted, or the prepared step was lost with a
             * failed store.
             */
            COMMIT,
            /** Changes nothing, because another queue has refused its share. */
            ABORT
        }

        @Override
        public CommandKind kind() {
            return CommandKind.TWO_PHASE;
        }
    }

    /** Reads the counters (semantics chapter 21). Answered by {@link Reply.Counts}. */
    record GetCounts() implements Command {
        @Override
        public CommandKind kind() {
            return CommandKind.GET_COUNTS;
        }
    }
}
