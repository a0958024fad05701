package dev.jitney.simulation.model;

import dev.jitney.core.Reply;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.simulation.Violation;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Requests about sessions (semantics chapter 10). */
final class SessionRequests {

    private SessionRequests() {}

    /** A session to be held, a named one or the next. */
    static final class Accept extends Request {
        private final Listener listener;
        private final @Nullable String named;

        Accept(Ledger ledger, Listener listener, @Nullable String named) {
            super(ledger, listener.path);
            this.listener = listener;
            this.named = named;
        }

        @Override
        boolean isRefusable() {
            return true;
        }

        @Override
        void done(Reply reply) {
            Reply.SessionAccepted accepted = (Reply.SessionAccepted) reply;
            ledger.check(
                    named == null || named.equals(accepted.sessionId()),
                    "Expected the session that was asked for",
                    this);
            long nowMs = ledger.nowMs(listener.path, accepted.sessionId());
            for (Listener other : ledger.listeners()) {
                boolean holds = other != listener
                        && other.isOpen()
                        && other.path.equals(listener.path)
                        && accepted.sessionId().equals(other.session)
                        && other.sessionUntilMs > nowMs;
                ledger.check(!holds, "Expected one holder of session " + accepted.sessionId(), this);
            }
            listener.session = accepted.sessionId();
            listener.sessionUntilMs = accepted.lockedUntilMs();
            listener.attached = true;
        }

        @Override
        void undone(Rejection rejection) {
            if (rejection.code() == ErrorCode.SESSION_CANNOT_BE_LOCKED) {
                boolean held = false;
                for (Listener other : ledger.listeners()) {
                    held |= other != listener && other.ofSession && other.path.equals(path);
                }
                // Of a partitioned entity somebody who has got another one may have had it for a moment (SESS-23).
                boolean certain = !ledger.shelves().isPartitioned(path);
                ledger.check(held || !certain, "Expected a session that nobody holds", this);
            }
            uncertain();
        }

        @Override
        void uncertain() {
            listener.closed = true;
            ledger.listeners().remove(listener);
        }
    }

    /** The lock of a session to be extended. */
    static final class Renew extends Request {
        private final Listener listener;

        Renew(Ledger ledger, Listener listener) {
            super(ledger, listener.path);
            this.listener = listener;
        }

        @Override
        int credits() {
            return 1;
        }

        @Override
        void done(Reply reply) {
            long untilMs = ((Reply.LocksRenewed) reply).lockedUntilMs()[0];
            ledger.check(
                    listener.sessionUntilMs > ledger.nowMs(path, listener.session),
                    "Expected the lock of the session to be lost",
                    this);
            listener.sessionUntilMs = untilMs;
            listener.locks.forEach(lock -> lock.untilMs = untilMs);
        }

        @Override
        void undone(Rejection rejection) {
            boolean lost = listener.isSessionLost();
            ledger.check(lost, () -> "Expected the lock of the session to hold, but got " + rejection, this);
        }
    }

    /** What is kept with a session to be set. */
    static final class SetState extends Request {
        private final Listener listener;
        final String session;
        final byte @Nullable [] state;

        SetState(Ledger ledger, Listener listener, String session, byte @Nullable [] state) {
            super(ledger, listener.path);
            this.listener = listener;
            this.session = session;
            this.state = state;
        }

        @Override
        @Nullable
        Shelf part() {
            return ledger.shelves().ofSession(path, session);
        }

        @Override
        int credits() {
            return 1;
        }

        @Override
        void done(Reply reply) {
            ledger.check(ledger.states().mayBe(path, session, state), "Expected the state that was acknowledged", this);
        }

        @Override
        void undone(Rejection rejection) {
            boolean lost = listener.isSessionLost();
            ledger.check(lost, () -> "Expected the state to be taken, but got " + rejection, this);
        }
    }

    /** What is kept with a session to be told. */
    static final class GetState extends Request {
        private final String session;

        GetState(Ledger ledger, String path, String session) {
            super(ledger, path);
            this.session = session;
        }

        @Override
        int credits() {
            return 1;
        }

        @Override
        void done(Reply reply) {
            byte[] told = ((Reply.SessionState) reply).state();
            if (!ledger.states().mayBe(path, session, told)) {
                throw new Violation("Expected the state that is kept with " + session + " of " + path + ", but got "
                        + Arrays.toString(told) + ".");
            }
        }

        @Override
        void undone(Rejection rejection) {
            // SESS-15: no lock is needed, so only the end of the entity is a reason.
            ledger.check(
                    rejection.code() == ErrorCode.ENTITY_NOT_FOUND,
                    () -> "Expected a state, but got " + rejection,
                    session);
        }
    }
}
