package dev.jitney.core.queue.decide;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.Output;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.SessionHeadRow;
import dev.jitney.core.SessionHold;
import dev.jitney.core.SessionsListed;
import dev.jitney.core.Situation;
import dev.jitney.core.queue.HeldSessionView;
import dev.jitney.core.queue.LockView;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.QueuedMessageView;
import dev.jitney.core.queue.SessionsView;
import dev.jitney.core.queue.WaitingReceiver;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The decisions on sessions: accept, renewal, state, list and end (semantics chapter 10). */
final class SessionDecisions {
    /**
     * The maximum number of sessions that a list reads; a client continues with the last id of the page, or with a
     * smaller page.
     */
    private static final int LISTED_ROWS_MAX = 100_000;

    /** The maximum number of sessions that a list reads in one turn. */
    private static final int ROWS_PER_TURN = 1_000;

    /** The maximum content of messages that fail with their session in one decision; the last message may exceed it. */
    private static final long FAILED_BYTES_MAX = 4L << 20;

    private SessionDecisions() {}

    static Decision accept(QueueView queue, Command.AcceptSession command, Situation now) {
        Rejection refusal = refuseAccept(queue, command);
        if (refusal != null) {
            return Decision.reject(refusal);
        }
        SessionsView sessions = sessions(queue);
        String id = command.sessionId();
        if (id != null && sessions.held(id) != null) {
            return Decision.reject(
                    ErrorCode.SESSION_CANNOT_BE_LOCKED,
                    "The requested session '" + id + "' cannot be accepted. It may be locked by another receiver.");
        }
        if (id == null) {
            List<SessionHeadRow> ready =
                    mayGrant(queue, now) && sessions.waiting().isEmpty() ? sessions.ready(1) : List.of();
            if (ready.isEmpty()) {
                return await(queue, command, now);
            }
            id = ready.get(0).sessionId();
        }
        long untilMs = now.nowMs() + queue.description().lockDurationMs();
        return Decision.of(
                List.of(new Record.SessionLocked(command.receiverId(), command.mode(), id, untilMs)),
                new Reply.SessionAccepted(id, untilMs));
    }

    private static @Nullable Rejection refuseAccept(QueueView queue, Command.AcceptSession command) {
        if (queue.sessions() == null) {
            return new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "A session receiver needs an entity with RequiresSession set, but '"
                            + queue.description().path() + "' does not require sessions.");
        }
        if (!queue.description().status().allowsReceive()) {
            return SendDecisions.disabled(queue, "receiving");
        }
        int lengthMax = queue.limits().maxIdLength();
        if (command.sessionId() != null && command.sessionId().length() > lengthMax) { // SESS-2
            return new Rejection(
                    ErrorCode.ARGUMENT,
                    "Expected a SessionId of at most " + lengthMax + " characters, but got "
                            + command.sessionId().length() + ".");
        }
        if (command.sessionId() != null && !Admission.isWholeText(command.sessionId())) {
            return Admission.notWhole();
        }
        return ReceiveDecisions.refuseReceiver(queue);
    }

    private static Decision await(QueueView queue, Command.AcceptSession command, Situation now) {
        if (command.waitMs() <= 0 && mayGrant(queue, now)) {
            return Decision.reject(Rejection.of(ErrorCode.TIMEOUT));
        }
        long deadlineMs = Admission.saturatedSum(now.nowMs(), Math.max(0, command.waitMs()));
        return new Decision(
                List.of(new Record.SessionAwaited(command.receiverId(), command.mode(), deadlineMs)),
                List.of(),
                null,
                null);
    }

    /** Grants available sessions to waiting receivers, first come, first served. */
    static void grant(QueueView queue, Situation now, List<Record> records, List<Output> outputs) {
        SessionsView sessions = queue.sessions();
        if (sessions == null || sessions.waiting().isEmpty() || !mayGrant(queue, now)) {
            return;
        }
        long untilMs = now.nowMs() + queue.description().lockDurationMs();
        List<SessionHeadRow> ready = sessions.ready(sessions.waiting().size());
        int next = 0;
        for (WaitingReceiver waiting : sessions.waiting()) {
            if (next == ready.size()) {
                return;
            }
            String id = ready.get(next++).sessionId();
            records.add(new Record.SessionLocked(waiting.receiverId(), waiting.mode(), id, untilMs));
            outputs.add(new Output.SessionGranted(waiting.receiverId(), id, untilMs));
        }
    }

    /**
     * Returns whether sessions can be granted. Expired messages are removed first, so that no receiver gets a session
     * without messages.
     */
    private static boolean mayGrant(QueueView queue, Situation now) {
        return queue.description().status().allowsReceive() && queue.earliestExpiryMs() > now.nowMs();
    }

    static Decision renew(QueueView queue, Command.RenewSessionLock command, Situation now) {
        HeldSessionView held = held(queue, command.session(), now);
        if (held == null) {
            return lost();
        }
        long untilMs = now.nowMs() + queue.description().lockDurationMs();
        return Decision.of(
                List.of(new Record.SessionLockRenewed(held.sessionId(), untilMs)),
                new Reply.LocksRenewed(new long[] {untilMs}));
    }

    static Decision state(QueueView queue, Command.GetSessionState command, Situation now) {
        HeldSessionView held =
                queue.sessions() == null ? null : queue.sessions().held(command.sessionId());
        boolean none = held != null && held.stateSizeBytes() < 0;
        return Decision.reply(
                new Reply.SessionState(none ? null : now.rows().sessionState(queue.id(), command.sessionId())));
    }

    static Decision setState(QueueView queue, Command.SetSessionState command, Situation now) {
        return setState(queue, command, held(queue, command.session(), now), now);
    }

    /** Checks a change of the state inside a transaction, which keeps the hold on the session from ending (TX-20). */
    static Decision freeze(QueueView queue, Command.SetSessionState command, Situation now) {
        Decision judged = setState(queue, command, now);
        return judged.rejection() != null
                ? judged
                : Decision.done(
                        List.of(new Record.SessionFrozen(command.session().sessionId())));
    }

    /** Decides the change at the commit, even if the time of the lock has passed. */
    static Decision setFrozenState(QueueView queue, Command.SetSessionState command, Situation now) {
        String id = command.session().sessionId();
        HeldSessionView held =
                queue.sessions() == null ? null : queue.sessions().held(id);
        Decision decision = setState(
                queue,
                command,
                held != null && held.receiverId() == command.session().receiverId() ? held : null,
                now);
        if (decision.rejection() != null) {
            return decision;
        }
        List<Record> records = new ArrayList<>(decision.records());
        records.add(new Record.SessionThawed(id));
        return Decision.done(records);
    }

    private static Decision setState(
            QueueView queue, Command.SetSessionState command, @Nullable HeldSessionView held, Situation now) {
        if (held == null) {
            return lost();
        }
        byte[] state = command.state();
        if (state != null) {
            Rejection refusal = refuseState(queue, held, state, now);
            if (refusal != null) {
                return Decision.reject(refusal);
            }
        }
        return Decision.done(List.of(new Record.SessionStateSet(held.sessionId(), state, now.nowMs())));
    }

    private static @Nullable Rejection refuseState(QueueView queue, HeldSessionView held, byte[] state, Situation now) {
        if (state.length > queue.maxMessageSizeBytes()) {
            return new Rejection(
                    ErrorCode.MESSAGE_SIZE_EXCEEDED,
                    "The session state (size: " + state.length + " bytes) exceeds the limit ("
                            + queue.maxMessageSizeBytes() + " bytes) of the entity.");
        }
        boolean grows = state.length > Math.max(0, held.stateSizeBytes());
        return grows ? Admission.refuseGrowth(queue, queue.usedBytes(), now) : null;
    }

    /** Decides a change of session listeners (TTL-31). */
    static Decision setListeners(Command.SetSessionListeners command) {
        return Decision.done(List.of(new Record.SessionListenersSet(command.listening())));
    }

    static Decision list(QueueView queue, Command.ListSessions command, Situation now) {
        if (queue.sessions() == null) {
            return Decision.reject(
                    ErrorCode.INVALID_OPERATION,
                    "Expected an entity with RequiresSession set, but '"
                            + queue.description().path() + "' does not require sessions.");
        }
        if (command.top() < 1 || command.skip() < 0) {
            return Decision.reject(
                    ErrorCode.OUT_OF_RANGE,
                    "Expected a top of at least 1 and a skip of at least 0, but got " + command.top() + " and "
                            + command.skip() + ".");
        }
        boolean active = command.stateChangedAfterMs() == MessageView.NEVER;
        int countMax = Math.min(command.top(), queue.limits().maxPeekCount());
        List<String> ids = new ArrayList<>(command.before().sessionIds());
        int[] skipped = {command.before().skipped()};
        int[] read = {0};
        boolean[] more = {false};
        String[] last = {""};
        now.rows().scanSessions(queue.id(), command.afterSessionId(), (id, row) -> {
            boolean listed = active ? row.active() > 0 : row.stateChangedAtMs() > command.stateChangedAfterMs();
            if (listed && skipped[0] < command.skip()) {
                skipped[0]++;
            } else if (listed) {
                ids.add(id);
            }
            last[0] = id;
            more[0] = ++read[0] == ROWS_PER_TURN || ids.size() == countMax;
            return !more[0];
        });
        int readInAll = command.before().read() + read[0];
        if (more[0] && ids.size() < countMax && readInAll < LISTED_ROWS_MAX) {
            return Decision.reply(
                    new Reply.Unfinished(command.after(last[0], new SessionsListed(ids, skipped[0], readInAll))));
        }
        if (more[0] && ids.isEmpty()) {
            return Decision.reject(
                    ErrorCode.OUT_OF_RANGE,
                    "Expected to find a session among the next " + LISTED_ROWS_MAX
                            + " sessions, but the request skips more. Continue from the last session id instead of"
                            + " skipping.");
        }
        return Decision.reply(new Reply.Sessions(ids, command.skip() + ids.size(), more[0]));
    }

    /**
     * Detaches a receiver. Its session is available at once, and its unsettled messages are as before (SESS-12, LOCK-10).
     */
    static Decision detach(QueueView queue, Command.DetachReceiver command, Situation now) {
        List<Record> records = new ArrayList<>();
        HeldSessionView held =
                queue.sessions() == null ? null : queue.sessions().heldBy(command.receiverId());
        if (held != null) {
            if (!held.isFrozen()) {
                records.add(new Record.SessionLockEnded(held.sessionId()));
            }
            for (LockView lock : held.locks()) {
                QueuedMessageView message = lock.message();
                if (!held.isFrozen() && lock.isExpired(now.nowMs())) { // STATE-7, TTL-30
                    records.add(
                            FailedDelivery.expired(queue, message, message.deliveryCount(), message.overrides(), now));
                }
            }
            records.add(new Record.SessionReleased(held.sessionId(), command.givesBack()));
        }
        records.add(new Record.ReceiverDetached(command.receiverId()));
        return Decision.done(records);
    }

    /** Ends holds whose time has passed. Messages that were delivered and not settled count as failed (SESS-11, T-31). */
    static void endLocks(QueueView queue, Situation now, int countMax, List<Record> records, List<Output> outputs) {
        SessionsView sessions = queue.sessions();
        if (sessions == null) {
            return;
        }
        long bytes = 0;
        for (HeldSessionView held : sessions.endedLocks(now.nowMs(), countMax)) {
            if (records.size() >= countMax) {
                return;
            }
            if (held.hasLostReceiver()) { // as if it detached now
                records.addAll(detach(queue, new Command.DetachReceiver(held.receiverId()), now)
                        .records());
                continue;
            }
            records.add(new Record.SessionLockEnded(held.sessionId()));
            for (LockView lock : held.locks()) {
                if (bytes > FAILED_BYTES_MAX) {
                    return; // the hold has ended, but remains until the other messages have failed too
                }
                bytes += lock.message().sizeBytes();
                records.add(FailedDelivery.counted(queue, lock, Map.of(), Record.FailureCause.LOCK_EXPIRED, now));
            }
            records.add(new Record.SessionReleased(held.sessionId(), false));
            outputs.add(new Output.SessionLost(held.receiverId()));
        }
        if (sessions.waiting().isEmpty()) {
            return;
        }
        boolean tried =
                queue.earliestExpiryMs() > now.nowMs() && sessions.ready(1).isEmpty() && !sessions.hasReadyInStore();
        if (!tried) {
            return; // expired messages, a read of the store, or a grant come first
        }
        for (WaitingReceiver waiting : sessions.timedOut(now.nowMs(), countMax)) {
            records.add(new Record.ReceiverDetached(waiting.receiverId()));
            outputs.add(new Output.AcceptTimedOut(waiting.receiverId()));
        }
    }

    /** Returns the claimed hold, or null if the claim is not valid. */
    static @Nullable HeldSessionView held(QueueView queue, SessionHold claimed, Situation now) {
        HeldSessionView held =
                queue.sessions() == null ? null : queue.sessions().held(claimed.sessionId());
        return held != null && held.receiverId() == claimed.receiverId() && held.lockedUntilMs() > now.nowMs()
                ? held
                : null;
    }

    private static Decision lost() {
        return Decision.reject(Rejection.of(ErrorCode.SESSION_LOCK_LOST));
    }

    private static SessionsView sessions(QueueView queue) {
        if (queue.sessions() == null) {
            throw new IllegalStateException("Expected an entity with sessions.");
        }
        return queue.sessions();
    }
}
