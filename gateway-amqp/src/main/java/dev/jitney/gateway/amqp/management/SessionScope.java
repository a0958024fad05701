package dev.jitney.gateway.amqp.management;

import dev.jitney.codec.MessageFormatException;
import dev.jitney.core.SessionHold;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import org.jspecify.annotations.Nullable;

/**
 * The session of a request: the one that the request names, or the one of the link that it names (wire reference 7.7).
 * A sub-queue has no sessions (DLQ-28).
 */
final class SessionScope {
    static final String SESSION_ID = "session-id";

    private final Entity entity;
    private final SubQueue subQueue;
    private final HeldSessions held;

    SessionScope(Entity entity, SubQueue subQueue, HeldSessions held) {
        this.entity = entity;
        this.subQueue = subQueue;
        this.held = held;
    }

    /** Returns whether the managed sub-queue has sessions. */
    boolean exist() {
        return subQueue == SubQueue.MAIN && entity.description().requiresSession();
    }

    void require() throws MessageFormatException {
        if (!exist()) {
            throw new MessageFormatException(new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "Expected an entity with sessions, but '" + entity.path() + subQueue.suffix()
                            + "' does not require sessions."));
        }
    }

    /** Returns the session, which the caller's connection must hold. */
    SessionHold held(Arguments arguments) throws MessageFormatException {
        SessionHold hold = find(arguments);
        if (hold == null) {
            throw new MessageFormatException(Rejection.of(ErrorCode.SESSION_LOCK_LOST));
        }
        return hold;
    }

    /**
     * Returns the refusal that replaces one for a lost message lock, or null if the request names no session or its
     * session is held.
     */
    @Nullable
    Rejection lost(Arguments arguments) throws MessageFormatException {
        boolean named = arguments.optionalText(SESSION_ID) != null || arguments.associatedLinkName() != null;
        return exist() && named && find(arguments) == null ? Rejection.of(ErrorCode.SESSION_LOCK_LOST) : null;
    }

    /** Returns the id of the session, held or not; null if the request is not about a session. */
    @Nullable
    String named(Arguments arguments) throws MessageFormatException {
        String sessionId = arguments.optionalText(SESSION_ID);
        if (sessionId != null || !exist()) {
            return sessionId;
        }
        SessionHold hold = find(arguments);
        return hold == null ? null : hold.sessionId();
    }

    /** Returns the hold of the caller's connection on the session, or null if it has none. */
    @Nullable
    SessionHold find(Arguments arguments) throws MessageFormatException {
        String sessionId = arguments.optionalText(SESSION_ID);
        if (sessionId != null) {
            return held.bySessionId(sessionId);
        }
        String linkName = arguments.associatedLinkName();
        return linkName == null ? null : held.byLinkName(linkName);
    }
}
