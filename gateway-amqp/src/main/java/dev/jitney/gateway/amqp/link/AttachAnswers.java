package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.wire.InboundGuard;
import dev.jitney.gateway.amqp.wire.LinkWire;
import org.apache.qpid.protonj2.engine.Link;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.messaging.Terminus;
import org.apache.qpid.protonj2.types.transactions.Coordinator;
import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/** The common parts of all answers to an attach. */
final class AttachAnswers {

    private AttachAnswers() {}

    /**
     * Copies the fields of the peer's attach into ours (wire reference 3.4) and answers the peer's detach when it
     * arrives.
     */
    static void echo(Link<?> link, LinkWire wire) {
        Attach remote = wire.remoteAttach();
        echoModes(link, remote);
        link.setSource(link instanceof Sender ? withoutFilters(remote.getSource()) : remote.getSource());
        setTarget(link, remote.getTarget());
    }

    /**
     * Returns the source for a sending link without the requested filters; the link itself adds the filters that are in
     * force (AMQP 1.0 part 3, 3.5.3).
     */
    private static @Nullable Source withoutFilters(@Nullable Source asked) {
        if (asked == null || asked.getFilter() == null || asked.getFilter().isEmpty()) {
            return asked;
        }
        Source source = asked.copy();
        source.setFilter(null);
        return source;
    }

    /**
     * Answers an attach with a null terminus on our side and detaches at once (wire reference 3.8). No other frame may
     * come between the two.
     *
     * @param error null if the client has already detached and needs no error
     */
    static void refuse(InboundGuard guard, Link<?> link, LinkWire wire, @Nullable ErrorCondition error) {
        Attach remote = wire.remoteAttach();
        echoModes(link, remote);
        if (link instanceof Receiver) {
            link.setSource(remote.getSource());
        } else {
            setTarget(link, remote.getTarget());
        }
        link.open();
        link.setCondition(error);
        link.close();
        guard.answered(wire);
    }

    private static void echoModes(Link<?> link, Attach remote) {
        if (remote.hasSenderSettleMode()) {
            link.setSenderSettleMode(remote.getSenderSettleMode());
        }
        if (remote.hasReceiverSettleMode()) {
            link.setReceiverSettleMode(remote.getReceiverSettleMode());
        }
        if (remote.getProperties() != null) {
            link.setProperties(remote.getProperties());
        }
        link.closeHandler(closed -> closed.close());
        link.detachHandler(detached -> detached.detach());
    }

    private static void setTarget(Link<?> link, @Nullable Terminus target) {
        if (target instanceof Target plain) {
            link.setTarget(plain);
        } else if (target instanceof Coordinator coordinator) {
            link.setTarget(coordinator);
        }
    }

    /** Returns the address of the node on our side of the link, or null. */
    static @Nullable String address(LinkWire wire, boolean clientReceives) {
        if (clientReceives) {
            Source source = wire.remoteAttach().getSource();
            return source == null ? null : source.getAddress();
        }
        Terminus target = wire.remoteAttach().getTarget();
        return target instanceof Target plain ? plain.getAddress() : null;
    }
}
