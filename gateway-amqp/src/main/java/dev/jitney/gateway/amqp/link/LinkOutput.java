package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.delivery.DeliverySource;
import dev.jitney.gateway.amqp.delivery.UnsettledDeliveries;
import dev.jitney.gateway.amqp.wire.FrameWriter;
import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.gateway.amqp.wire.PendingDelivery;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Our sending end of a link: credit, drain and transfers that wait for the session's window (wire reference 3.7, 4.8).
 *
 * <p>The engine's own credit follows ours and is never asked: it cannot say "drained" without credit and counts a
 * withdrawn credit below zero.
 */
abstract class LinkOutput implements LinkHandler, DeliverySource, LinkWire.Listener {
    private final LinkContext context;
    private final Sender sender;
    private final LinkWire wire;

    private int deliveryCount;
    private int credit;
    private boolean drain;
    private @Nullable PendingDelivery current;
    private boolean gone;
    private boolean lingering;

    LinkOutput(LinkContext context, Sender sender, LinkWire wire) {
        this.context = context;
        this.sender = sender;
        this.wire = wire;
        wire.listener(this);
    }

    /** There may be something to do: credit came, the window opened, the socket drained. */
    abstract void pump();

    @Override
    public final LinkWire wire() {
        return wire;
    }

    final LinkContext context() {
        return context;
    }

    final FrameWriter frames() {
        return context.frames();
    }

    final boolean isGone() {
        return gone;
    }

    /** Whether the engine has closed the session by itself, as for a handle in use, and nobody is left to tell. */
    final boolean isOver() {
        return sender.getSession().isLocallyClosed() || sender.getConnection().isLocallyClosed();
    }

    /** Answers the attach with what it said. */
    final void open() {
        open(said -> {});
    }

    /** Answers the attach with what it said, after that was corrected. */
    final void open(Consumer<Sender> correction) {
        AttachAnswers.echo(sender, wire);
        correction.accept(sender);
        sender.open();
        sender.creditStateUpdateHandler(updated -> context.loop().guarded(this::pump));
        context.guard().answered(wire);
        if (!gone) {
            pump();
        }
    }

    /** Answers the attach with a refusal, unless it is answered. */
    final void refuse(@Nullable ErrorCondition error) {
        if (wire.session().ended() || wire.answered()) {
            return; // nobody is left to tell
        }
        if (isOver()) {
            context.links().remove(this);
            return;
        }
        AttachAnswers.refuse(context.guard(), sender, wire, error);
        context.links().remove(this);
    }

    @Override
    public final void onFlow(Flow flow) {
        wire.touch();
        int peerCount = flow.hasDeliveryCount() ? (int) flow.getDeliveryCount() : 0;
        if (flow.hasLinkCredit()) {
            int granted = (int) Math.min(flow.getLinkCredit(), Integer.MAX_VALUE);
            long left = (long) granted - (deliveryCount - peerCount);
            credit = (int) Math.max(0, Math.min(left, Integer.MAX_VALUE));
        }
        drain = flow.getDrain();
        boolean echo = flow.getEcho();
        // What the engine is to believe: that nothing was sent, and what is left.
        flow.setDeliveryCount(0);
        flow.setLinkCredit(Integer.toUnsignedLong(credit));
        flow.setDrain(false);
        flow.setEcho(false);
        if (echo && !drain && wire.answered()) {
            frames().flow(wire, deliveryCount, credit, false);
        }
        onCredit();
    }

    /** The client's credit has changed; the window may have too, which {@link #pump} sees a moment later. */
    void onCredit() {}

    @Override
    public final void onDetach() {
        if (lingering) {
            lingering = false;
            context.deliveries().untrack(this);
        }
        context.links().remove(this);
        detached();
    }

    /** The client has detached; what the link held is given back. */
    void detached() {}

    final int credit() {
        return credit;
    }

    /** Whether no transfer is half written. */
    final boolean isIdle() {
        return current == null;
    }

    final boolean draining() {
        return drain;
    }

    /** Uses up the credit and says so (wire reference 3.7); the engine's credit is set by the next flow. */
    final void answerDrain() {
        deliveryCount += credit;
        credit = 0;
        drain = false;
        frames().flow(wire, deliveryCount, 0, true);
        context.loop().wantFlush();
    }

    /** Whether {@link #send} would start a transfer now. */
    final boolean canSend() {
        if (gone
                || credit <= 0
                || current != null
                || !wire.writable()
                || !context.loop().isWritable()) {
            return false;
        }
        if (!wire.session().maySend()) {
            wire.session().outputBlocked(true);
            return false;
        }
        return true;
    }

    /**
     * Starts a delivery; call it only after {@link #canSend}. It may end later, when the window opens.
     *
     * @param lockToken what settles it later, or null
     */
    final void send(PendingDelivery delivery, @Nullable UUID lockToken) {
        deliveryCount++;
        credit--;
        write(delivery);
        if (!delivery.settled()) {
            context.deliveries().track(new UnsettledDeliveries.Entry(delivery.id(), this, lockToken));
        }
    }

    private void write(PendingDelivery delivery) {
        frames().deliver(wire, delivery);
        if (delivery.isWritten()) {
            current = null;
            written(delivery);
        } else {
            current = delivery;
            wire.session().outputBlocked(true);
        }
    }

    /** A delivery has left for the socket. */
    void written(PendingDelivery delivery) {}

    /** Goes on with a transfer that waited for the window; false while one still waits. */
    private boolean continueCurrent() {
        PendingDelivery delivery = current;
        if (delivery == null) {
            return true;
        }
        if (gone || !wire.writable()) {
            return false;
        }
        write(delivery);
        return current == null;
    }

    @Override
    public final void resume() {
        if (continueCurrent()) {
            pump();
        }
    }

    @Override
    public final void writable() {
        resume();
        pump();
    }

    @Override
    public final void close(ErrorCondition error) {
        if (wire.writable()) {
            sender.setCondition(error);
            sender.close();
            context.loop().wantFlush();
        }
        boolean unanswered = !gone && !wire.answered();
        context.links().remove(this);
        if (unanswered) {
            closedUnanswered(error);
        }
    }

    /** The link was closed before its attach was answered. */
    void closedUnanswered(ErrorCondition error) {}

    /**
     * As {@link #close}, but outcomes that are on their way are still answered until the client detaches: it cannot have
     * known better.
     */
    final void closeAndLinger(ErrorCondition error) {
        lingering = wire.writable();
        close(error);
    }

    @Override
    public final boolean mayAnswer() {
        return wire.writable() || lingering;
    }

    @Override
    public final void gone() {
        if (!gone) {
            gone = true;
            if (!lingering) {
                context.deliveries().untrack(this);
            }
            released();
        }
    }

    /** Gives back what the link holds; called once. */
    abstract void released();
}
