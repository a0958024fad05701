package dev.jitney.gateway.amqp.link;

import dev.jitney.core.Reply;
import dev.jitney.core.SessionHold;
import dev.jitney.gateway.amqp.delivery.ClientOutcome;
import dev.jitney.gateway.amqp.delivery.UnsettledDeliveries;
import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Receiver;
import dev.jitney.runtime.ReplyListener;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/**
 * The link of a client that holds a session, or waits for one (wire reference 7).
 *
 * <table>
 * <caption>Life cycle</caption>
 * <tr><th>state</th><th>ends with</th></tr>
 * <tr><td>waiting: the attach is not answered</td><td>the entity's answer; or the client detaches, ends, disconnects or
 * loses its permission: the wait is canceled and no session is locked</td></tr>
 * <tr><td>holding</td><td>the client detaches, ends or disconnects: the session is free at once, and no delivery count
 * grows (SESS-12)</td></tr>
 * <tr><td>lost: the session lock expired, the link is closed</td><td>the client detaches; until then outcomes are
 * refused with the reason (SESS-10)</td></tr>
 * </table>
 */
final class SessionLink extends OutgoingLink {
    private static final Symbol LOCKED_UNTIL = Symbol.valueOf("com.microsoft:locked-until-utc");
    private static final long TICKS_AT_EPOCH = 621_355_968_000_000_000L;
    private static final long TICKS_PER_MS = 10_000;
    private static final long LATEST_MS = 253_402_300_799_999L; // 9999-12-31, the last instant of .NET

    private final SessionLinks sessions;
    private final SessionFilter filter;
    private final long waitMs;
    private final String holder;
    private @Nullable String sessionId;
    private boolean waiting = true;
    private boolean lost;

    /** The session that stays held after the link has ended, or null. */
    private SessionLinks.@Nullable Kept kept;

    /** @param waitMs how long to wait for the next available session */
    SessionLink(
            LinkContext context,
            Sender sender,
            LinkWire wire,
            Entity entity,
            EntityAddress address,
            ReceiveMode mode,
            SessionLinks sessions,
            SessionFilter filter,
            long waitMs) {
        super(context, sender, wire, entity, address, mode);
        this.sessions = sessions;
        this.filter = filter;
        this.waitMs = waitMs;
        holder = "link '" + ClientText.abbreviate(sender.getName()) + "' of container '"
                + ClientText.abbreviate(String.valueOf(sender.getConnection().getRemoteContainerId())) + "'";
    }

    @Override
    public String holder() {
        return holder;
    }

    @Override
    Receiver ask(ReplyListener reply) {
        String named = filter.sessionId();
        if (named != null && entity().description().status().allowsReceive()) {
            sessions.giveUp(address().key(), named);
        }
        return entity().acceptSession(
                        filter.sessionId(), mode(), waitMs, context().loop().executor(), this, reply);
    }

    @Override
    void admitted(Reply reply) {
        waiting = false;
        Reply.SessionAccepted accepted = (Reply.SessionAccepted) reply;
        String granted = accepted.sessionId();
        sessionId = granted;
        sessions.add(this);
        Source source = filter.granted(wire().remoteAttach().getSource(), granted);
        open(link -> {
            link.setSource(source);
            link.setProperties(withLockedUntil(wire().remoteAttach().getProperties(), accepted.lockedUntilMs()));
        });
    }

    private static Map<Symbol, Object> withLockedUntil(@Nullable Map<Symbol, Object> asked, long lockedUntilMs) {
        Map<Symbol, Object> properties = asked == null ? new LinkedHashMap<>() : new LinkedHashMap<>(asked);
        properties.put(LOCKED_UNTIL, TICKS_AT_EPOCH + Math.min(lockedUntilMs, LATEST_MS) * TICKS_PER_MS);
        return properties;
    }

    @Override
    Rejection told(Rejection rejection) {
        waiting = false;
        return switch (rejection.code()) {
            case TIMEOUT ->
                new Rejection(
                        ErrorCode.TIMEOUT,
                        "The operation did not complete within the allotted timeout of " + clock(waitMs)
                                + ": no session with messages became available.");
            case SESSION_CANNOT_BE_LOCKED ->
                new Rejection(
                        ErrorCode.SESSION_CANNOT_BE_LOCKED,
                        "The requested session '" + filter.sessionId()
                                + "' cannot be accepted. It may be locked by another receiver.");
            default -> rejection;
        };
    }

    /** Formats a time as Service Bus does: {@code 00:00:59}, with a fraction if there is one. */
    private static String clock(long ms) {
        Duration time = Duration.ofMillis(ms);
        String text = String.format(
                Locale.ROOT, "%02d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart());
        return time.toMillisPart() == 0 ? text : text + String.format(Locale.ROOT, ".%03d", time.toMillisPart());
    }

    /** Returns the session with the id of its receiver, or null if the link holds none. */
    @Nullable
    SessionHold hold() {
        Receiver holder = receiver();
        return holder == null || sessionId == null ? null : new SessionHold(holder.id(), sessionId);
    }

    /**
     * Returns the session that was granted to the link, even if the link no longer holds it; null if none was granted.
     */
    @Override
    @Nullable
    String sessionId() {
        return sessionId;
    }

    @Override
    void lost(Rejection reason) {
        if (reason.code() == ErrorCode.SESSION_LOCK_LOST) {
            lost = true;
            closeAndLinger(context().errors().of(reason, address().path()));
        } else {
            super.lost(reason);
        }
    }

    @Override
    public void onOutcome(List<UnsettledDeliveries.Entry> deliveries, ClientOutcome outcome) {
        if (!lost) {
            super.onOutcome(deliveries, outcome);
            return;
        }
        Rejection refusal = Rejection.of(ErrorCode.SESSION_LOCK_LOST);
        context().transactions().refused(outcome.state(), refusal);
        if (outcome.settled()) {
            context().deliveries().forget(deliveries);
        } else {
            reject(deliveries, refusal, false);
        }
    }

    /**
     * Reports a lost session lock instead of a lost message lock: the message locks have ended with the session, and
     * the client must know that (STATE-8).
     */
    @Override
    Rejection refused(Rejection rejection) {
        return lost && rejection.code() == ErrorCode.MESSAGE_LOCK_LOST
                ? Rejection.of(ErrorCode.SESSION_LOCK_LOST)
                : rejection;
    }

    @Override
    void detached() {
        if (waiting) {
            waiting = false; // the entity may never answer now
            context().loop().guarded(() -> refuse(null));
            context().loop().wantFlush();
        }
    }

    @Override
    void closedUnanswered(ErrorCondition error) {
        waiting = false;
        refuse(error);
        context().loop().wantFlush();
    }

    /**
     * Keeps the session for the client until its lock expires. The client manages it over {@code $management} (SUSP-5).
     */
    @Override
    void suspended(Receiver holder) {
        SessionHold hold = new SessionHold(holder.id(), Objects.requireNonNull(sessionId));
        kept = new SessionLinks.Kept(address().key(), wire().name(), hold, holder);
        sessions.keep(kept);
    }

    @Override
    boolean ended() {
        if (kept == null) {
            return false;
        }
        sessions.forget(kept);
        return true;
    }

    @Override
    void released() {
        sessions.remove(this);
        super.released();
    }
}
