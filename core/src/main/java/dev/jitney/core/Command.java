package dev.jitney.core;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something an edge or a timer asks of one queue. A command is a value; the shard stamps it with the time when it
 * decides (semantics chapter 1, "Time is an argument").
 *
 * <p>Every command of an edge is answered exactly once, by the {@link Reply} named at the command or by a
 * {@link dev.jitney.model.Rejection}.
 */
public sealed interface Command {

    /** Its kind, which has a case in every dispatch and a row in the table of traits. */
    CommandKind kind();

    /** A command about messages that are named by the tokens of their locks. */
    sealed interface NamesLocks extends Command {

        List<UUID> lockTokens();
    }

    /** A command about messages that are named by their sequence numbers. */
    sealed interface NamesMessages extends Command {

        List<Long> sequenceNumbers();
    }

    /** A command about one session, or perhaps about one. */
    sealed interface NamesSession extends Command {

        /** Null if it is not about a session. */
        @Nullable
        String sessionId();
    }

    /** A command of somebody who holds a session, or perhaps holds one. */
    sealed interface OfSessionHolder extends NamesSession {

        /** The hold that is claimed; null if none is. */
        @Nullable
        SessionHold session();

        /** The same of a holder with another number. */
        Command withSession(SessionHold other);

        @Override
        default @Nullable String sessionId() {
            SessionHold held = session();
            return held == null ? null : held.sessionId();
        }
    }

    /** A command about one of the sub-queues of an entity. */
    sealed interface NamesSubQueue extends Command {

        SubQueue subQueue();
    }

    /** A command that several fragments of a partitioned entity can carry out together ({@link TwoPhase}). */
    sealed interface Shareable extends Command {

        /**
         * The share of one fragment.
         *
         * @param places places of its messages among those that the command names
         */
        Shareable share(List<Integer> places);

        private static <T> List<T> pick(List<T> things, List<Integer> places) {
            return places.stream().map(things::get).toList();
        }
    }

    /**
     * Stores messages at the tail, all or none (MSG-8). Messages with a scheduled time in the future wait (T-2).
     * Answered by {@link Reply.Sent}.
     *
     * @param reservedNumbers empty but at the commit of a transaction, whose messages were judged one by one before. Then
     *     one for each: the number reserved for a scheduled message ({@link Record.SequenceNumbersReserved}), or 0
     */
    record SendMessages(List<IncomingMessage> messages, List<Long> reservedNumbers) implements Command {

        /** Messages as an edge sends them. */
        public SendMessages(List<IncomingMessage> messages) {
            this(messages, List.of());
        }

        /** Whether a transaction hands over what it has gathered. */
        public boolean ofTransaction() {
            return !reservedNumbers.isEmpty();
        }

        /** The number reserved for a message, or 0 if it gets the next one. */
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
     * Makes a receiver known; it gets nothing before {@link SetCredit}. Answered by {@link Reply.Done}.
     *
     * @param receiverId chosen by the shard's gateway side, unique while the process runs
     */
    record AttachReceiver(long receiverId, SubQueue subQueue, ReceiveMode mode) implements NamesSubQueue {
        @Override
        public CommandKind kind() {
            return CommandKind.ATTACH_RECEIVER;
        }
    }

    /**
     * Tells how many messages a receiver wants in all since it attached (so that a credit on the wire and a delivery
     * on its way never count twice). A smaller number than before takes credit back. With {@code drain} the receiver
     * is told by {@link Output.Drained} as soon as nothing more is available. Answered by {@link Reply.Done}.
     */
    record SetCredit(long receiverId, long deliveryLimit, boolean drain) implements Command {
        @Override
        public CommandKind kind() {
            return CommandKind.SET_CREDIT;
        }
    }

    /**
     * Forgets a receiver; its locks live on (LOCK-9). Answered by {@link Reply.Done}.
     *
     * @param givesBack whether nobody got the session it holds, so that the session keeps its place (SESS-5)
     */
    record DetachReceiver(long receiverId, boolean givesBack) implements Command {

        /** A receiver that may have held a session. */
        public DetachReceiver(long receiverId) {
            this(receiverId, false);
        }

        @Override
        public CommandKind kind() {
            return CommandKind.DETACH_RECEIVER;
        }
    }

    /**
     * Ends locks, all or none (LOCK-13). In a transaction it is kept until the outcome; everything else about it is the same.
     */
    sealed interface Settlement extends NamesLocks, Shareable {}

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

    /** Sets messages aside until asked for by number (T-15). Answered by {@link Reply.Done}. */
    record DeferMessages(List<UUID> lockTokens, Map<String, EncodedValue> propertiesToModify) implements Settlement {
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
     * @param reason null to add none; what is longer than 4,096 characters is cut (DLQ-13)
     * @param description likewise
     */
    record DeadLetterMessages(
            List<UUID> lockTokens,
            @Nullable String reason,
            @Nullable String description,
            Map<String, EncodedValue> propertiesToModify)
            implements Settlement {
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
     * @param session the session they belong to, held by who asks (SESS-14); null where there are no sessions
     * @param answerBytesMax bytes of content that one answer may have; for more than one message beyond it the command is
     *     refused before anything is locked or removed
     */
    record ReceiveDeferredMessages(
            SubQueue subQueue,
            List<Long> sequenceNumbers,
            ReceiveMode mode,
            @Nullable SessionHold session,
            long answerBytesMax)
            implements NamesMessages, NamesSubQueue, OfSessionHolder {

        /** The command without a limit for its answer. */
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

    /** Looks at messages without locking them (PEEK-1). Answered by {@link Reply.Messages}, possibly empty. */
    record PeekMessages(
            SubQueue subQueue,
            long fromSequenceNumber,
            int messageCount,
            @Nullable String sessionId) implements NamesSubQueue {
        @Override
        public CommandKind kind() {
            return CommandKind.PEEK_MESSAGES;
        }
    }

    /**
     * Looks at the message behind a lock, whatever state it is in (HTTP reference 3.1 checks what a lock token is named
     * with). Answered by {@link Reply.Locked}.
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
     * Removes the oldest unlocked active messages (PURGE-1). Answered by {@link Reply.Deleted}.
     *
     * @param sessionId only those of this session, or null for all
     */
    record BatchDeleteMessages(
            SubQueue subQueue,
            int messageCount,
            long enqueuedBeforeMs,
            @Nullable String sessionId) implements NamesSubQueue {

        public BatchDeleteMessages(SubQueue subQueue, int messageCount, long enqueuedBeforeMs) {
            this(subQueue, messageCount, enqueuedBeforeMs, null);
        }

        @Override
        public CommandKind kind() {
            return CommandKind.BATCH_DELETE_MESSAGES;
        }
    }

    /**
     * Locks a session for a new receiver of the main queue (SESS-4, SESS-5); the receiver gets nothing before
     * {@link SetCredit}. Answered by {@link Reply.SessionAccepted}, when the next available session is asked for perhaps
     * later, or with {@link dev.jitney.model.ErrorCode#SESSION_CANNOT_BE_LOCKED} or
     * {@link dev.jitney.model.ErrorCode#TIMEOUT}. {@link DetachReceiver} ends the wait without an answer, and later the
     * hold.
     *
     * @param receiverId as in {@link AttachReceiver}
     * @param sessionId the session, or null for the next available one
     * @param waitMs how long to wait for one, milliseconds; not used for a named session
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

    /** Reads what is kept with a session, held or not (SESS-15). Answered by {@link Reply.SessionState}. */
    record GetSessionState(String sessionId) implements NamesSession {
        @Override
        public CommandKind kind() {
            return CommandKind.GET_SESSION_STATE;
        }
    }

    /**
     * Keeps something with a session (SESS-15). Answered by {@link Reply.Done}.
     *
     * @param state null to keep nothing; not changed afterwards
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
     * Lists sessions in the order of their ids (SESS-17). Answered by {@link Reply.Sessions}.
     *
     * @param stateChangedAfterMs sessions whose state was set after this time, milliseconds since the epoch;
     *     {@link dev.jitney.model.MessageView#NEVER} for those with active messages
     * @param afterSessionId lists what follows this id, or null to start with the first
     * @param skip how many to leave out, after that
     * @param top how many at most
     */
    record ListSessions(long stateChangedAfterMs, @Nullable String afterSessionId, int skip, int top)
            implements Command {
        @Override
        public CommandKind kind() {
            return CommandKind.LIST_SESSIONS;
        }
    }

    /**
     * Tells a fragment whether somebody listens to sessions of the partitioned entity, here or in another fragment (TTL-31).
     * Answered by {@link Reply.Done}.
     */
    record SetSessionListeners(boolean listening) implements Command {
        @Override
        public CommandKind kind() {
            return CommandKind.SET_SESSION_LISTENERS;
        }
    }

    /**
     * One step of a two-phase commit: of something that several queues do together, all or none (LOCK-13, SCHED-4). The
     * queues are fragments of a partitioned entity, each with its share; whoever asks them coordinates. Answered as the
     * share is.
     *
     * @param requestId above 0, not used by another request or transaction while the process runs
     */
    record TwoPhase(Step step, Shareable share, long requestId) implements Command {
        /** {@link #PREPARE} comes first. Whoever is refused in {@link #COMMIT} gets {@link #ABORT} as well. */
        public enum Step {
            /** Judges the share. What it is about stays as it is until the next step, whatever time brings. */
            PREPARE,
            /** Does it. Refused only if what it is about is gone: deleted, or forgotten by a store that failed. */
            COMMIT,
            /** Does nothing: one of the others has refused its share. */
            ABORT
        }

        @Override
        public CommandKind kind() {
            return CommandKind.TWO_PHASE;
        }
    }

    /** Asks for the counters (chapter 21). Answered by {@link Reply.Counts}. */
    record GetCounts() implements Command {
        @Override
        public CommandKind kind() {
            return CommandKind.GET_COUNTS;
        }
    }
}
