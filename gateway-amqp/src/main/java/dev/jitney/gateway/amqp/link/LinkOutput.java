package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.delivery.DeliverySource;
import dev.jitney.gateway.amqp.delivery.UnsettledDeliveries;
import dev.jitney.gateway.amqp.wire.FrameWriter;
import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.gateway.amqp.wire.PendingDelivery;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ReceiveMode;
import dev.jitney.runtime.client.ClientLink;
import dev.jitney.runtime.client.ConnectedClient;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.jspecify.annotations.Nullable;

/**
 * The sending end of a link: credit, drain and transfers that wait for the session's window (wire reference 3.7, 4.8).
 *
 * <p>This class counts the credit; the engine's own count follows it and is never read. The engine cannot answer a
 * drain without credit, and it counts a withdrawn credit below zero.
 */
abstract class LinkOutput implements LinkHandler, DeliverySource, LinkWire.Listener {
    private final LinkContext context;
    private final Sender sender;
    private final LinkWire wire;

    /** The time of the attach, in milliseconds since the epoch. */
    private final long sinceMs;

    private int unsettled;
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
        sinceMs = context.access().nowMs();
        wire.listener(this);
    }

    /** Sends or grants as much as possible. Called when credit arrived, the window opened or the socket drained. */
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

    /**
     * Returns whether the engine has closed the session by itself, for example because of a handle in use, so that the
     * link can send nothing more.
     */
    final boolean isOver() {
        return sender.getSession().isLocallyClosed() || sender.getConnection().isLocallyClosed();
    }

    /** Answers the attach with an echo. */
    final void open() {
        open(said -> {});
    }

    /** Answers the attach with a corrected echo. */
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

    /** Answers the attach with a refusal, unless it is already answered. */
    final void refuse(@Nullable ErrorCondition error) {
        if (wire.session().ended() || wire.answered()) {
            return; // the session is closed
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
        // The engine must assume that nothing was sent, and see the remaining credit.
        flow.setDeliveryCount(0);
        flow.setLinkCredit(Integer.toUnsignedLong(credit));
        flow.setDrain(false);
        flow.setEcho(false);
        if (echo && !drain && wire.answered()) {
            frames().flow(wire, deliveryCount, credit, false);
        }
        onCredit();
    }

    /**
     * Called when the client's credit has changed. The window may have changed too; {@link #pump} runs a moment later.
     */
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

    /** Called when the client has detached and everything that the link held is released. */
    void detached() {}

    final int credit() {
        return credit;
    }

    @Override
    public final void countUnsettled(int delta) {
        unsettled += delta;
    }

    /**
     * Describes the link for operators.
     *
     * @param address the entity or sub-queue
     * @param sessionId the session that the link holds, or null
     */
    final ClientLink described(ReceiveMode mode, EntityAddress address, @Nullable String sessionId) {
        return new ClientLink(
                ConnectedClient.text(wire.name()),
                mode,
                address.path() + address.subQueue().suffix(),
                sessionId,
                credit,
                unsettled,
                sinceMs);
    }

    @Override
    public boolean isWork() {
        return false;
    }

    /** Returns whether no transfer is partly written. */
    final boolean isIdle() {
        return current == null;
    }

    final boolean draining() {
        return drain;
    }

    /**
     * Uses up the credit and sends a flow that reports it (wire reference 3.7). The next flow sets the engine's credit.
     */
    final void answerDrain() {
        deliveryCount += credit;
        credit = 0;
        drain = false;
        frames().flow(wire, deliveryCount, 0, true);
        context.loop().wantFlush();
    }

    /** Returns whether {@link #send} would start a transfer now. */
    final boolean canSend() {
        if (gone
                || credit <= 0
                || current != null
                || !wire.writable()
                || !context.loop().isWritable()) {
            return false;
        }
        if (!wire.session().maySend()) {
            wire.session().block(wire);
            return false;
        }
        return true;
    }

    /**
     * Starts a delivery. Call it only if {@link #canSend} returns true. The delivery may end later, when the window
     * opens. Its memory is the size of its message.
     *
     * @param lockToken token that settles the delivery later, or null
     */
    final void send(PendingDelivery delivery, @Nullable UUID lockToken) {
        deliveryCount++;
        credit--;
        write(delivery);
        if (!delivery.settled()) {
            int sizeBytes = (int) Math.min(delivery.memoryBytes(), Integer.MAX_VALUE);
            context.deliveries().track(new UnsettledDeliveries.Entry(delivery.id(), this, lockToken, sizeBytes));
        }
    }

    private void write(PendingDelivery delivery) {
        frames().deliver(wire, delivery);
        if (delivery.isWritten()) {
            current = null;
            written(delivery);
        } else {
            current = delivery;
            if (!wire.session().maySend()) { // otherwise it waits for the socket
                wire.session().block(wire);
            }
        }
    }

    /** Called when a delivery is completely written. */
    void written(PendingDelivery delivery) {}

    /** Continues a transfer that waited for the window. Returns false while a transfer still waits. */
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

    /** Called when the link was closed before its attach was answered. */
    void closedUnanswered(ErrorCondition error) {}

    /**
     * Closes the link as {@link #close} does, but still answers outcomes until the client detaches: the client sent
     * them before it saw the close. A second call changes nothing.
     */
    final void closeAndLinger(ErrorCondition error) {
        lingering |= wire.writable();
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

    /** Releases everything that the link holds. Called once. */
    abstract void released();
}
