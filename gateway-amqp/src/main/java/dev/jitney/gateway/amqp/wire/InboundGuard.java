package dev.jitney.gateway.amqp.wire;

import org.apache.qpid.protonj2.engine.AMQPPerformativeEnvelopePool;
import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.IncomingAMQPEnvelope;
import org.apache.qpid.protonj2.engine.exceptions.EngineFailedException;
import org.apache.qpid.protonj2.engine.exceptions.ProtocolViolationException;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.Begin;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Detach;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.End;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.Open;
import org.apache.qpid.protonj2.types.transport.Performative;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * A handler for performatives between the decoder and the engine. It compensates for missing features and errors of the
 * engine of protonj2 1.1.0:
 *
 * <ul>
 *   <li>The engine finds links by name, so a name that is reused before both sides have closed the old link refers to
 *       the closed link. Here every link gets a unique name inside the engine; the frame writer restores the peer's
 *       name.
 *   <li>The engine turns a credit below the number of messages already sent into a negative number, cannot answer a
 *       drain without credit, and ignores {@code echo} on a link. Our links process the flow first and count credit
 *       themselves.
 *   <li>Deliveries bypass the engine: outgoing ones in the frame writer, incoming ones here. So this class and the
 *       links count windows, ids and credit, and the engine sees an open window. This makes a transfer cheaper and leaves nothing in the engine's tables.
 *   <li>After a detach before the answer to the attach, the engine can neither open nor free the link. The detach is
 *       held back until the answer is written.
 *   <li>The engine tracks every unsettled delivery twice, and cannot drop those of a closed link. Links settle theirs
 *       through the frame writer.
 *   <li>The engine lets a peer begin sessions and attach links before it has opened the connection, or after opening it
 *       on a channel other than 0.
 *   <li>Outcomes for our deliveries go straight to the session's own table, whole ranges at a time.
 * </ul>
 */
public final class InboundGuard implements EngineHandler {

    /** The events that the connection must process before the engine. */
    public interface Listener {
        /** Called for an outcome of deliveries that we sent. */
        void onOutcome(SessionWire session, int first, int last, @Nullable DeliveryState state, boolean settled);

        /** Called when the peer begins a session. */
        void onBegin(SessionWire session);

        /** Called when the peer attaches a link. */
        void onAttach(LinkWire link);

        /** Called when the peer has detached a link and its data is removed. */
        void onDetached(LinkWire link);

        /**
         * Called when the peer attaches a second link of a name and role that is attached on the session (wire
         * reference 10.3).
         */
        void onStolen(LinkWire old);

        /** Called when the peer's window may have opened. */
        void onWindow(SessionWire session);

        /** Called when the peer has ended the session; its links have ended too. */
        void onEnd(SessionWire session);
    }

    private static final char NAME_SEPARATOR = '\0';
    private static final long OPEN_WINDOW = 0xffff_ffffL;

    private final WireTable table;
    private final Listener listener;
    private final AMQPPerformativeEnvelopePool<IncomingAMQPEnvelope> pool =
            AMQPPerformativeEnvelopePool.incomingEnvelopePool();
    private final IncomingTransfer decoded = new IncomingTransfer();
    private long nextLink;
    private boolean opened;
    private boolean failed;
    private @Nullable EngineHandlerContext context;

    public InboundGuard(WireTable table, Listener listener) {
        this.table = table;
        this.listener = listener;
    }

    @Override
    public void handlerAdded(EngineHandlerContext added) {
        context = added;
    }

    @Override
    public void engineFailed(EngineHandlerContext failing, EngineFailedException failure) {
        failed = true;
        failing.fireFailed(failure);
    }

    /** Passes on a detach that arrived before the link's attach was answered. Call it once the answer is written. */
    public void answered(LinkWire link) {
        Detach held = link.heldDetach();
        if (held != null && !link.session().ended()) {
            link.heldDetach(null);
            SessionWire session = link.session();
            detach(link);
            up(held, session.remoteChannel());
        }
    }

    /**
     * Returns whether the peer may send frames about deliveries: it has opened the connection and not violated the
     * protocol.
     */
    public boolean takesDeliveries() {
        return opened && !failed;
    }

    /**
     * Processes a transfer.
     *
     * @return false if there is no such link; the engine then reports the error
     */
    public boolean transferred(IncomingTransfer transfer) {
        SessionWire session = table.remote(transfer.channel());
        LinkWire link = session == null ? null : session.link(transfer.handle());
        if (session == null || link == null) {
            return false;
        }
        session.transferRead();
        String wrong = link.follow(transfer);
        LinkWire.Listener hears = link.listener();
        if (wrong != null) {
            fail(wrong);
        } else if (hears != null) { // a link that was refused at once has none
            hears.onTransfer(transfer);
        }
        return true;
    }

    private void fail(String wrong) {
        EngineHandlerContext at = context;
        if (at != null) {
            at.engine().engineFailed(new ProtocolViolationException(wrong));
        }
    }

    /**
     * Processes a disposition that bypasses the engine.
     *
     * @return false if there is no such session; the engine then reports the error
     */
    public boolean accepted(AcceptedDisposition disposition) {
        SessionWire session = table.remote(disposition.channel());
        if (session == null) {
            return false;
        }
        listener.onOutcome(
                session, disposition.first(), disposition.last(), Accepted.getInstance(), disposition.settled());
        return true;
    }

    @Override
    public void handleRead(EngineHandlerContext readContext, IncomingAMQPEnvelope envelope) {
        if (failed) {
            return; // the engine would process the frames after one for which it has closed the connection
        }
        int channel = envelope.getChannel();
        Performative body = envelope.getBody();
        if (body instanceof Open ? channel != 0 : !opened && body != null) {
            fail("Expected open on channel 0 before anything else, but got " + body.getPerformativeType()
                    + " on channel " + channel + ".");
            return;
        }
        opened |= body != null;
        SymbolCache.bound(); // every performative may have added symbols; most transfers and flows do not come here
        if (body instanceof Transfer transfer) {
            if (transferred(decoded.take(channel, transfer, envelope.getPayload()))) {
                envelope.release();
            } else {
                readContext.fireRead(envelope);
            }
        } else if (body instanceof Disposition disposition && disposition.getRole() == Role.RECEIVER) {
            SessionWire session = table.remote(channel);
            if (session == null) {
                readContext.fireRead(envelope); // the engine reports the error
            } else {
                int first = (int) disposition.getFirst();
                int last = disposition.hasLast() ? (int) disposition.getLast() : first;
                listener.onOutcome(session, first, last, disposition.getState(), disposition.getSettled());
                envelope.release();
            }
        } else if (body instanceof Flow flow) {
            flow(readContext, envelope, flow);
        } else if (body instanceof Attach attach) {
            attach(attach, channel);
            readContext.fireRead(envelope);
        } else if (body instanceof Detach detach) {
            SessionWire session = table.remote(channel);
            LinkWire link = session == null ? null : session.link(detach.getHandle());
            if (link != null && !link.answered()) {
                link.heldDetach(detach);
                tellDetach(link);
                envelope.release();
                return;
            }
            if (link != null) {
                detach(link);
            }
            readContext.fireRead(envelope);
        } else if (body instanceof Begin begin) {
            if (table.remote(channel) == null) {
                SessionWire session = new SessionWire(channel, (int) begin.getNextOutgoingId());
                session.peerWindow(session.nextOutgoingId(), begin.getIncomingWindow());
                table.begin(session);
                listener.onBegin(session);
            }
            readContext.fireRead(envelope);
        } else if (body instanceof End) {
            SessionWire session = table.remote(channel);
            if (session != null) {
                listener.onEnd(session);
                table.endRemote(channel);
            }
            readContext.fireRead(envelope);
        } else {
            readContext.fireRead(envelope);
        }
    }

    private void attach(Attach attach, int channel) {
        SessionWire session = table.remote(channel);
        if (session == null || session.link(attach.getHandle()) != null) {
            return; // the engine closes the connection after a protocol violation
        }
        LinkWire old = session.linkNamed(attach.getName(), attach.getRole());
        if (old != null && old.writable()) {
            listener.onStolen(old);
        }
        String engineName = attach.getName() + NAME_SEPARATOR + nextLink++;
        LinkWire link = new LinkWire(session, engineName, attach.copy());
        table.attach(link);
        listener.onAttach(link);
        attach.setName(engineName);
        if (attach.getRole() == Role.SENDER && !attach.hasInitialDeliveryCount()) {
            attach.setInitialDeliveryCount(0); // mandatory for a sender, but nothing here depends on it
        }
    }

    private void detach(LinkWire link) {
        tellDetach(link);
        table.detach(link);
        listener.onDetached(link);
    }

    private static void tellDetach(LinkWire link) {
        LinkWire.Listener hears = link.listener();
        if (hears != null) {
            hears.onDetach();
        }
    }

    private void flow(EngineHandlerContext readContext, IncomingAMQPEnvelope envelope, Flow flow) {
        SessionWire session = table.remote(envelope.getChannel());
        LinkWire link = session == null || !flow.hasHandle() ? null : session.link(flow.getHandle());
        if (session != null) {
            session.peerWindow(flow.hasNextIncomingId() ? (int) flow.getNextIncomingId() : 0, flow.getIncomingWindow());
            // The engine sends no transfers. When it sees a window open or close, it visits all links of the session.
            flow.clearNextIncomingId();
            flow.setIncomingWindow(OPEN_WINDOW);
        }
        LinkWire.Listener hears = link == null ? null : link.listener();
        if (hears != null) {
            hears.onFlow(flow);
        }
        readContext.fireRead(envelope);
        if (session != null) {
            listener.onWindow(session);
        }
    }

    private void up(Performative performative, int channel) {
        EngineHandlerContext to = context;
        if (to != null) {
            to.fireRead(pool.take(performative, channel, null));
        }
    }
}
