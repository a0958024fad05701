package dev.jitney.gateway.amqp.connection;

import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.Role;
import org.jspecify.annotations.Nullable;

/**
 * Our receiving end of a link: credit, transfers that come in pieces, and the size limit, which holds while a transfer
 * is still arriving.
 */
abstract class LinkInput implements LinkHandler, LinkWire.Listener {
    /** Within what clients expect (wire reference 3.6); memory is bounded by pausing reads, not by credit. */
    private static final int CREDIT = 500;

    /**
     * What a piece of a message keeps alive at the worst: all of the read it came with. So many small pieces are not
     * taken for few bytes.
     */
    private static final long READ_BYTES = 65_536;

    private final AmqpConnection connection;
    private final Receiver receiver;
    private final LinkWire wire;
    private final long maxMessageSizeBytes;

    private long accountedBytes;
    private long pieces;
    private long swallowedBytes;
    private boolean oversized;
    private int received;
    private boolean gone;

    LinkInput(AmqpConnection connection, Receiver receiver, LinkWire wire, long maxMessageSizeBytes) {
        this.connection = connection;
        this.receiver = receiver;
        this.wire = wire;
        this.maxMessageSizeBytes = maxMessageSizeBytes;
        wire.listener(this);
    }

    /** The one answer to one delivery. */
    final class Ticket {
        private final int deliveryId;
        private final boolean settled;

        /** Whether the peer asks for no answer. */
        boolean isSettled() {
            return settled;
        }

        private Ticket(int deliveryId, boolean settled) {
            this.deliveryId = deliveryId;
            this.settled = settled;
        }

        void settle(DeliveryState outcome) {
            if (!settled && !gone && wire.writable()) {
                connection.frames().settle(wire.session(), Role.RECEIVER, deliveryId, outcome);
                connection.wantFlush();
            }
        }

        void reject(Rejection rejection) {
            if (!settled) {
                settle(new Rejected().setError(connection.errors().of(rejection, path())));
            }
        }
    }

    /** One whole delivery came; the ticket is to be used exactly once, now or later. */
    abstract void received(
            @Nullable ProtonBuffer payload, int messageFormat, Ticket ticket, @Nullable DeliveryState state);

    /** The entity that error texts name, empty if there is none. */
    String path() {
        return "";
    }

    @Override
    public final LinkWire wire() {
        return wire;
    }

    final AmqpConnection connection() {
        return connection;
    }

    /** Answers the attach and gives credit at once (wire reference 0.3, rule 6). */
    final void open() {
        Links.echo(receiver, wire);
        describe(receiver);
        receiver.setMaxMessageSize(UnsignedLong.valueOf(maxMessageSizeBytes));
        receiver.deliveryReadHandler(delivery -> connection.guarded(() -> arrived(delivery)));
        receiver.deliveryAbortedHandler(delivery -> connection.guarded(() -> aborted(delivery)));
        receiver.open();
        receiver.addCredit(CREDIT);
    }

    /** Says more in the answer to the attach. */
    void describe(Receiver answer) {
        // An echo is enough.
    }

    /** What comes in a session that the engine has closed by itself is nobody's, until the client ends it too. */
    private void arrived(IncomingDelivery delivery) {
        if (receiver.getSession().isLocallyOpen()) {
            read(delivery);
        }
    }

    private void read(IncomingDelivery delivery) {
        int available = delivery.available();
        if (gone || oversized || available > maxMessageSizeBytes) {
            oversized = true;
            swallowedBytes += available;
            discard(delivery);
            available = 0;
        }
        if (delivery.isPartial()) {
            pieces++;
            account(available == 0 ? 0 : Math.max(available, pieces * READ_BYTES));
            return;
        }
        pieces = 0;
        account(0);
        ProtonBuffer payload = delivery.readAll();
        DeliveryState state = delivery.getRemoteState();
        int messageFormat = delivery.getMessageFormat();
        delivery.settle();
        received++;
        Ticket ticket = new Ticket(wire.incomingDeliveryId(), wire.incomingSettled());
        if (oversized) {
            long sizeBytes = swallowedBytes;
            oversized = false;
            swallowedBytes = 0;
            Rejection refusal = new Rejection(
                    ErrorCode.MESSAGE_SIZE_EXCEEDED,
                    "The received message (delivery-id:" + Integer.toUnsignedString(wire.incomingDeliveryId())
                            + ", size:" + sizeBytes + " bytes) exceeds the limit (" + maxMessageSizeBytes
                            + " bytes) currently allowed on the link.");
            connection.transactions().refused(state, refusal);
            ticket.reject(refusal);
        } else {
            received(payload, messageFormat, ticket, state);
        }
        topUp();
    }

    private void aborted(IncomingDelivery delivery) {
        pieces = 0;
        account(0);
        oversized = false;
        swallowedBytes = 0;
        delivery.settle();
        received++;
        topUp();
    }

    private static void discard(IncomingDelivery delivery) {
        ProtonBuffer bytes = delivery.readAll();
        if (bytes != null) {
            bytes.close();
        }
    }

    private void account(long partialBytes) {
        connection.partial(partialBytes - accountedBytes);
        accountedBytes = partialBytes;
    }

    private void topUp() {
        if (!gone && wire.writable() && receiver.getCredit() <= CREDIT / 2) {
            receiver.addCredit(CREDIT - receiver.getCredit());
        }
    }

    @Override
    public final void onFlow(Flow flow) {
        if (flow.getEcho() && wire.answered()) {
            int initial = (int) wire.remoteAttach().getInitialDeliveryCount();
            connection.frames().flow(wire, initial + received, receiver.getCredit(), false);
        }
        flow.setDrain(false); // means nothing from a sender, and the engine would trip over it
        flow.setEcho(false);
    }

    @Override
    public final void onDetach() {
        connection.remove(this);
    }

    @Override
    public final void close(ErrorCondition error) {
        if (wire.writable()) {
            receiver.setCondition(error);
            receiver.close();
            connection.wantFlush();
        }
        connection.remove(this);
    }

    @Override
    public final void gone() {
        if (!gone) {
            account(0);
            gone = true;
            ended();
        }
    }

    /** Nothing more comes over the link. */
    void ended() {
        // Most links hold nothing.
    }

    /** Whether it carries messages of an entity, not control messages or requests. */
    boolean isWork() {
        return false;
    }
}
