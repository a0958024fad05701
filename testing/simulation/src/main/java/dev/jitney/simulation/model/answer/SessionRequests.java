package dev.jitney.simulation.model.answer;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.core.Reply;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.model.state.Listener;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.StoredEntity;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The requests about sessions (semantics chapter 10). */
public final class SessionRequests {

    private SessionRequests() {}

    /** A request for a session: a named one or the next available one. */
    public static final class Accept extends Request {
        private final ModelState model;
        private final Listener listener;
        private final @Nullable String named;

        public Accept(Judge judge, ModelState model, Listener listener, @Nullable String named) {
            super(judge, listener.path);
            this.model = model;
            this.listener = listener;
            this.named = named;
        }

        @Override
        public boolean isRefusable() {
            return true;
        }

        @Override
        public void done(Reply reply) {
            Reply.SessionAccepted accepted = (Reply.SessionAccepted) reply;
            check(named == null || named.equals(accepted.sessionId()), "Expected the requested session", this);
            long nowMs = model.nowMs(listener.path, accepted.sessionId());
            for (Listener other : model.listeners()) {
                boolean holds = other != listener
                        && other.isOpen()
                        && other.path.equals(listener.path)
                        && accepted.sessionId().equals(other.session)
                        && other.sessionUntilMs > nowMs;
                check(!holds, "Expected one receiver for session " + accepted.sessionId(), this);
            }
            listener.session = accepted.sessionId();
            listener.sessionUntilMs = accepted.lockedUntilMs();
            listener.attached = true;
        }

        @Override
        public void undone(Rejection rejection) {
            if (rejection.code() == ErrorCode.SESSION_CANNOT_BE_LOCKED) {
                boolean held = false;
                for (Listener other : model.listeners()) {
                    held |= other != listener && other.ofSession && other.path.equals(path);
                }
                // In a partitioned entity, a receiver that accepted another session may have held this one for a moment
                // (SESS-23).
                boolean certain = !model.entities().isPartitioned(path);
                check(held || !certain, "Expected another receiver to hold the session", this);
            }
            uncertain();
        }

        @Override
        public void uncertain() {
            listener.closed = true;
            model.listeners().remove(listener);
        }
    }

    /** A request to renew the lock of a session. */
    public static final class Renew extends Request {
        private final ModelState model;
        private final Listener listener;

        public Renew(Judge judge, ModelState model, Listener listener) {
            super(judge, listener.path);
            this.model = model;
            this.listener = listener;
        }

        @Override
        public int credits() {
            return 1;
        }

        @Override
        public void done(Reply reply) {
            long untilMs = ((Reply.LocksRenewed) reply).lockedUntilMs()[0];
            check(
                    listener.sessionUntilMs > model.nowMs(path, listener.session),
                    "Expected a lost session lock, but got success",
                    this);
            listener.sessionUntilMs = untilMs;
            listener.locks.forEach(lock -> lock.untilMs = untilMs);
        }

        @Override
        public void undone(Rejection rejection) {
            boolean lost = listener.isSessionLost();
            check(lost, () -> "Expected a valid session lock, but got " + rejection, this);
        }
    }

    /** A request to set the state of a session. */
    public static final class SetState extends Request {
        private final SessionStates states;
        private final Listener listener;
        final String session;
        final byte @Nullable [] state;

        public SetState(Judge judge, SessionStates states, Listener listener, String session, byte @Nullable [] state) {
            super(judge, listener.path);
            this.states = states;
            this.listener = listener;
            this.session = session;
            this.state = state;
        }

        @Override
        public @Nullable StoredEntity part(StoredEntity.Lookup entities) {
            return entities.ofSession(path, session);
        }

        @Override
        public int credits() {
            return 1;
        }

        @Override
        public void done(Reply reply) {
            check(
                    states.mayBe(path, session, state),
                    "Expected the acknowledged session state to be on the disk",
                    this);
        }

        @Override
        public void undone(Rejection rejection) {
            boolean lost = listener.isSessionLost();
            check(lost, () -> "Expected the session state to be stored, but got " + rejection, this);
        }
    }

    /** A request to get the state of a session. */
    public static final class GetState extends Request {
        private final SessionStates states;
        private final String session;

        public GetState(Judge judge, SessionStates states, String path, String session) {
            super(judge, path);
            this.states = states;
            this.session = session;
        }

        @Override
        public int credits() {
            return 1;
        }

        @Override
        public void done(Reply reply) {
            byte[] told = ((Reply.SessionState) reply).state();
            if (!states.mayBe(path, session, told)) {
                throw new Violation("Expected the stored state of session " + session + " of " + path + ", but got "
                        + Arrays.toString(told) + ".");
            }
        }

        @Override
        public void undone(Rejection rejection) {
            // The request needs no lock, so only a deletion of the entity is a reason (SESS-15).
            check(
                    rejection.code() == ErrorCode.ENTITY_NOT_FOUND,
                    () -> "Expected a session state, but got " + rejection,
                    session);
        }
    }
}
