package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.delivery.PartialDelivery;
import dev.jitney.gateway.amqp.wire.IncomingTransfer;
import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.client.ClientLink;
import dev.jitney.runtime.client.ConnectedClient;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.Role;
import org.jspecify.annotations.Nullable;

/**
 * The receiving end of a link: credit, transfers that arrive in pieces, and the size limit, which applies while a
 * transfer is still arriving.
 */
abstract class LinkInput implements LinkHandler, LinkWire.Listener {
    /**
     * The credit, within the expectations of clients (wire reference 3.6). Memory is bounded by pausing reads, not by
     * credit.
     */
    private static final int CREDIT = 500;

    /** The minimum rate of a delivery: 16 KiB per second. */
    private static final int BYTES_PER_MS = 16;

    /** The size limit of a link that accepts no deliveries: even an empty delivery is larger. */
    private static final long NOTHING = -1;

    private final LinkContext context;
    private final Receiver receiver;
    private final LinkWire wire;
    private final long maxMessageSizeBytes;

    /** The bytes that have arrived of a delivery with more transfers to come. */
    private final PartialDelivery partial = new PartialDelivery();

    private long accountedBytes;

    /** The time at which the incomplete delivery began. */
    private long partialSinceMs;

    /** The time of the attach, in milliseconds since the epoch. */
    private final long sinceMs;

    private int credit;

    /** The number of complete deliveries, in terms of the link's delivery count. */
    private int received;

    private boolean gone;

    LinkInput(LinkContext context, Receiver receiver, LinkWire wire, long maxMessageSizeBytes) {
        this.context = context;
        this.receiver = receiver;
        this.wire = wire;
        sinceMs = context.access().nowMs();
        this.maxMessageSizeBytes =
                Math.min(maxMessageSizeBytes, context.memory().messageBytesMax());
        wire.listener(this);
    }

    /** The single answer to one delivery. */
    final class Ticket {
        private final int deliveryId;
        private final boolean settled;

        /** Returns whether the peer sent the delivery settled, so that it needs no answer. */
        boolean isSettled() {
            return settled;
        }

        private Ticket(int deliveryId, boolean settled) {
            this.deliveryId = deliveryId;
            this.settled = settled;
        }

        void settle(DeliveryState outcome) {
            if (!settled && !gone && wire.writable()) {
                context.frames().settle(wire.session(), Role.RECEIVER, deliveryId, outcome);
                context.loop().wantFlush();
            }
        }

        void reject(Rejection rejection) {
            if (!settled) {
                settle(new Rejected().setError(context.errors().of(rejection, path())));
            }
        }
    }

    /**
     * Processes one complete delivery. The implementation uses the ticket exactly once, now or later.
     *
     * @param payload null if the delivery has none
     */
    abstract void received(byte @Nullable [] payload, int messageFormat, Ticket ticket, @Nullable DeliveryState state);

    /** Returns the path of the entity for error texts, empty if there is none. */
    String path() {
        return "";
    }

    @Override
    public final LinkWire wire() {
        return wire;
    }

    final LinkContext context() {
        return context;
    }

    /** Describes the link for operators. */
    final ClientLink described(EntityAddress address) {
        return new ClientLink(ConnectedClient.text(wire.name()), null, address.path(), null, credit, 0, sinceMs);
    }

    /** Answers the attach and grants credit at once (wire reference 0.3, rule 6). */
    final void open() {
        AttachAnswers.echo(receiver, wire);
        describe(receiver);
        receiver.setMaxMessageSize(UnsignedLong.valueOf(maxMessageSizeBytes));
        receiver.open();
        credit = CREDIT;
        tellCredit();
    }

    /** Adds fields to the answer to the attach. */
    void describe(Receiver answer) {
        // The echoed fields are enough.
    }

    @Override
    public final void onTransfer(IncomingTransfer transfer) {
        wire.touch();
        context.loop().guarded(() -> {
            // Transfers in a session that the engine has closed by itself are ignored until the client ends the session
            // too.
            if (receiver.getSession().isLocallyOpen()) {
                read(transfer);
            }
        });
    }

    private void read(IncomingTransfer transfer) {
        if (!transfer.aborted()) {
            partial.add(transfer, gone ? NOTHING : maxMessageSizeBytes);
            if (transfer.more()) {
                if (accountedBytes == 0) {
                    partialSinceMs = context.loop().tickMs();
                }
                account(Math.max(1, partial.heldBytes()));
                return;
            }
            whole(partial.messageFormat(), partial.state());
        }
        partial.clear();
        account(0);
        received++;
        credit = Math.max(0, credit - 1);
        topUp();
    }

    private void whole(int messageFormat, @Nullable DeliveryState state) {
        Ticket ticket = new Ticket(wire.incomingDeliveryId(), wire.incomingSettled());
        if (!partial.isOversized()) {
            byte[] payload = partial.payload();
            partial.clear();
            received(payload.length == 0 ? null : payload, messageFormat, ticket, state);
            return;
        }
        Rejection refusal = new Rejection(
                ErrorCode.MESSAGE_SIZE_EXCEEDED,
                "The received message (delivery-id:" + Integer.toUnsignedString(wire.incomingDeliveryId()) + ", size:"
                        + partial.sizeBytes() + " bytes) exceeds the limit (" + maxMessageSizeBytes
                        + " bytes) currently allowed on the link.");
        context.transactions().refused(state, refusal);
        ticket.reject(refusal);
    }

    private void account(long partialBytes) {
        if (partialBytes != accountedBytes) {
            boolean few = context.memory().partial(partialBytes - accountedBytes);
            if (!few) {
                context.loop()
                        .close(
                                ErrorCode.QUOTA_EXCEEDED,
                                "Too many bytes of incomplete messages on the connection. Finish some messages before you begin"
                                        + " more.");
            }
            accountedBytes = partialBytes;
        }
    }

    /**
     * Returns whether an incomplete delivery takes too long: more than the limit plus a second for each 16 KiB. The
     * time also runs while reading pauses, because a closed socket is not noticed meanwhile.
     */
    @Override
    public final boolean unfinishedForTooLong(long nowMs) {
        if (accountedBytes == 0) {
            return false;
        }
        long limitMs = context.limits().unfinishedTimeoutMs();
        return nowMs - partialSinceMs > limitMs + partial.sizeBytes() / BYTES_PER_MS;
    }

    private void topUp() {
        if (!gone && credit <= CREDIT / 2) {
            credit = CREDIT;
            tellCredit();
        }
    }

    private void tellCredit() {
        int initial = (int) wire.remoteAttach().getInitialDeliveryCount();
        context.frames().flow(wire, initial + received, credit, false);
        context.loop().wantFlush();
    }

    @Override
    public final void onFlow(Flow flow) {
        wire.touch();
        if (flow.getEcho() && wire.answered()) {
            tellCredit();
        }
        flow.setDrain(false); // drain means nothing from a sender, and the engine would fail on it
        flow.setEcho(false);
    }

    @Override
    public final void onDetach() {
        context.links().remove(this);
    }

    @Override
    public final void close(ErrorCondition error) {
        if (wire.writable()) {
            receiver.setCondition(error);
            receiver.close();
            context.loop().wantFlush();
        }
        context.links().remove(this);
    }

    @Override
    public final void gone() {
        if (!gone) {
            partial.clear(); // freed now: the client may detach late, and the socket may close late
            account(0);
            gone = true;
            ended();
        }
    }

    /** Called when the link receives nothing more. */
    void ended() {
        // Most links hold nothing.
    }
}
