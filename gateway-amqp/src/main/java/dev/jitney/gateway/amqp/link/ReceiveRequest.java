package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedByte;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.UnsignedShort;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.SenderSettleMode;
import org.jspecify.annotations.Nullable;

/** The request of a client that attaches to receive (wire reference 3.3, 7.1). Check {@link #refusal} first. */
final class ReceiveRequest {
    private static final Symbol COPY = Symbol.valueOf("copy");
    private static final Symbol TIMEOUT = Symbol.valueOf("com.microsoft:timeout");
    private static final Symbol PEEK_MODE = Symbol.valueOf("com.microsoft:peek-mode");

    /** The default time that a client waits for a session (wire reference 7.3). */
    private static final long WAIT_MS_DEFAULT = 65_000;

    private static final long UINT_MAX = 0xffff_ffffL;

    private final Attach attach;
    private final Source source;
    private final LinkFilters filters;
    private final @Nullable SessionFilter session;

    /**
     * @param attach an attach with a source
     */
    ReceiveRequest(Attach attach) {
        this.attach = attach;
        source = attach.getSource();
        filters = LinkFilters.of(source);
        session = filters.session();
    }

    /** Returns the reason why the entity cannot serve the request, or null. */
    @Nullable
    Rejection refusal(Entity entity, EntityAddress address) {
        Rejection unserved = unserved();
        if (unserved != null) {
            return unserved;
        }
        boolean hasSessions = entity.description().requiresSession() && address.subQueue() == SubQueue.MAIN; // DLQ-28
        boolean asked = session != null;
        if (hasSessions && !asked) {
            return notAllowed("Expected a session receiver, because '" + address.path()
                    + "' requires sessions, but got a non-sessionful receiver. Accept a session instead.");
        }
        if (asked && !hasSessions) {
            return notAllowed("Expected an entity with RequiresSession for a session receiver, but '" + address.path()
                    + address.subQueue().suffix() + "' does not require sessions.");
        }
        return session == null ? null : malformed(session);
    }

    private @Nullable Rejection unserved() {
        if (COPY.equals(source.getDistributionMode())) {
            // A queue browser (JMS-1): an ordinary receiver would lock the messages, but the client only looks at them.
            return new Rejection(
                    ErrorCode.NOT_IMPLEMENTED,
                    "Browsing over a link (distribution-mode copy) is not supported. Peek over $management instead.");
        }
        return filters.refusal();
    }

    private @Nullable Rejection malformed(SessionFilter asked) {
        if (waitMs() < 0) {
            return new Rejection(
                    ErrorCode.INVALID_FIELD,
                    "Expected milliseconds as an unsigned integer in the property " + TIMEOUT + ", but got another"
                            + " value.");
        }
        return browses() && asked.sessionId() == null
                ? notAllowed("Expected the id of the session to browse, but got none.")
                : null;
    }

    private static Rejection notAllowed(String description) {
        return new Rejection(ErrorCode.INVALID_OPERATION, description);
    }

    /** Creates the requested link, which answers the attach. */
    void serve(
            LinkContext context,
            SessionLinks sessions,
            Sender sender,
            LinkWire wire,
            Entity entity,
            EntityAddress address) {
        if (session == null) {
            OutgoingLink link = new OutgoingLink(context, sender, wire, entity, address, mode());
            context.links().add(link);
            link.attach();
        } else if (browses()) {
            BrowsedSessionLink link = new BrowsedSessionLink(context, sender, wire, entity, address);
            context.links().add(link);
            link.open(answer -> answer.setSource(session.granted(source, String.valueOf(session.sessionId()))));
        } else {
            SessionLink link =
                    new SessionLink(context, sender, wire, entity, address, mode(), sessions, session, waitMs());
            context.links().add(link);
            link.attach();
        }
    }

    /** Returns the receive mode: receive and delete if the sender settles, otherwise peek-lock (wire reference 3.3). */
    private ReceiveMode mode() {
        return attach.hasSenderSettleMode() && attach.getSenderSettleMode() == SenderSettleMode.SETTLED
                ? ReceiveMode.RECEIVE_AND_DELETE
                : ReceiveMode.PEEK_LOCK;
    }

    /** Returns whether the client browses the session without a lock (wire reference 3.3). */
    private boolean browses() {
        return Boolean.TRUE.equals(property(PEEK_MODE));
    }

    /** Returns the time to wait for a session, negative if the client's value is not a number of milliseconds. */
    private long waitMs() {
        Object value = property(TIMEOUT);
        if (value == null) {
            return WAIT_MS_DEFAULT;
        }
        if (value instanceof UnsignedInteger || value instanceof UnsignedShort || value instanceof UnsignedByte) {
            return ((Number) value).longValue() & UINT_MAX;
        }
        if (value instanceof UnsignedLong number) {
            return number.longValue() < 0 ? UINT_MAX : Math.min(number.longValue(), UINT_MAX);
        }
        return value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte
                ? Math.min(((Number) value).longValue(), UINT_MAX)
                : -1;
    }

    private @Nullable Object property(Symbol name) {
        return attach.getProperties() == null ? null : attach.getProperties().get(name);
    }
}
