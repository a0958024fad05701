package dev.jitney.gateway.amqp.management;

import dev.jitney.codec.MessageFormatException;
import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionHold;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityKind;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Transaction.Work;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The operations on the sessions of a queue or subscription (wire reference 6.8). */
final class SessionOperations {
    private static final Set<EntityKind> KINDS = EnumSet.of(EntityKind.QUEUE, EntityKind.SUBSCRIPTION);

    /** The limit of ids in a page. It fits any client; a client that needs more sends another request. */
    private static final int PAGE_MAX = 1_000;

    private static final String STATE = "session-state";

    private final Entity entity;
    private final long answerBytesMax;
    private final SessionScope sessions;
    private final Map<String, Operation> operations = Map.of(
            Operation.PREFIX + "renew-session-lock", listening(this::renew),
            Operation.PREFIX + "get-session-state", listening(this::state),
            Operation.PREFIX + "set-session-state", listening(this::setState),
            Operation.PREFIX + "get-message-sessions", listening(this::list));

    /**
     * @param answerBytesMax limit for the bytes of session states in one answer
     */
    SessionOperations(Entity entity, SessionScope sessions, long answerBytesMax) {
        this.answerBytesMax = answerBytesMax;
        this.entity = entity;
        this.sessions = sessions;
    }

    private static Operation listening(Operation.Preparation preparation) {
        return new Operation(EnumSet.of(AccessRight.LISTEN), KINDS, preparation);
    }

    /** Returns the operations by name. */
    Map<String, Operation> byName() {
        return operations;
    }

    private Call renew(Arguments arguments) throws MessageFormatException {
        return call(
                new Command.RenewSessionLock(held(arguments)),
                reply -> Result.of("expiration", Instants.of(((Reply.LocksRenewed) reply).lockedUntilMs()[0])));
    }

    /**
     * Reads the state of a session. The answer has the entry even if the state is null, since one client reads it
     * without a check (SESS-15).
     */
    private Call state(Arguments arguments) throws MessageFormatException {
        if (arguments.associatedLinkName() == null) {
            arguments.text(SessionScope.SESSION_ID);
        }
        sessions.require();
        String sessionId = sessions.named(arguments);
        if (sessionId == null) { // the link that the request names holds no session
            throw new MessageFormatException(Rejection.of(ErrorCode.SESSION_LOCK_LOST));
        }
        Call state = call(
                new Command.GetSessionState(sessionId, sessions.find(arguments)),
                reply -> new Result(200, Collections.singletonMap(STATE, ((Reply.SessionState) reply).state())));
        return LargeCall.of(state, Math.min(entity.maxMessageSizeBytes(), answerBytesMax), 1);
    }

    private Call setState(Arguments arguments) throws MessageFormatException {
        SessionHold hold = held(arguments);
        return call(new Command.SetSessionState(hold, arguments.optionalBinary(STATE)), reply -> Result.EMPTY);
    }

    private SessionHold held(Arguments arguments) throws MessageFormatException {
        if (arguments.associatedLinkName() == null) {
            arguments.text(SessionScope.SESSION_ID);
        }
        sessions.require();
        return sessions.held(arguments);
    }

    private Call list(Arguments arguments) throws MessageFormatException {
        sessions.require();
        long changedAfterMs = arguments.timestamp("last-updated-time");
        int skip = arguments.skip();
        int top = Math.min(arguments.count("top"), PAGE_MAX);
        String after = arguments.optionalText("last-session-id");
        // A client that names the last session of the previous page also counts it among the sessions to skip.
        Command command = new Command.ListSessions(
                changedAfterMs >= Instants.LATEST_MS ? MessageView.NEVER : changedAfterMs,
                after,
                after == null ? skip : 0,
                top);
        return call(command, reply -> page((Reply.Sessions) reply, after, skip));
    }

    private static Result page(Reply.Sessions found, @Nullable String after, int skip) {
        List<String> ids = found.sessionIds();
        if (ids.isEmpty()) {
            return Result.NOTHING;
        }
        int next = after == null ? found.skip() : (int) Math.min((long) skip + ids.size(), Integer.MAX_VALUE);
        return new Result(200, Map.of("skip", next, "sessions-ids", ids.toArray(String[]::new)));
    }

    private Call call(Command command, Function<Reply, Result> result) {
        return new CommandCall(Work.on(entity, command), result);
    }
}
