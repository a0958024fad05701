package dev.jitney.testing.client;

import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Modified;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.messaging.Released;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.jspecify.annotations.Nullable;

/** One message that came over a {@link ReceiverLink}. On the event loop of its connection only. */
public final class Incoming {
    private final IncomingDelivery delivery;
    private final ProtonBuffer payload;
    private @Nullable Object context;

    Incoming(IncomingDelivery delivery, ProtonBuffer payload) {
        this.delivery = delivery;
        this.payload = payload;
        delivery.setLinkedResource(this);
    }

    /** Size of the encoded message. */
    public int sizeBytes() {
        return payload.getReadableBytes();
    }

    /** Eight bytes of the encoded message, counted from its end; cheap, for stamps in a body that comes last. */
    public long longFromEnd(int bytesBeforeEnd) {
        return payload.getLong(payload.getReadOffset() + payload.getReadableBytes() - bytesBeforeEnd);
    }

    /** Decodes the whole message. */
    public ReceivedMessage message() {
        return Messages.decode(payload.copy());
    }

    /** Whatever was kept with {@link #context(Object)}. */
    public @Nullable Object context() {
        return context;
    }

    /** Keeps something until the settlement is answered. */
    public void context(Object value) {
        context = value;
    }

    /** Asks the broker to complete the message; the answer comes to the link's listener. */
    public void complete() {
        settle(Accepted.getInstance());
    }

    /** Completes the message and settles it, on a link of {@link Settling#BY_RECEIVER}: there is no answer. */
    public void completeUnanswered() {
        delivery.disposition(Accepted.getInstance(), true);
    }

    /** Asks to complete the message in a transaction. */
    public void complete(Binary transaction) {
        settle(new TransactionalState().setTxnId(transaction).setOutcome(Accepted.getInstance()));
    }

    /** Asks to abandon it: unlocked, one failed delivery more. */
    public void abandon() {
        settle(new Modified(true, false));
    }

    /** Asks to defer it. */
    public void defer() {
        settle(new Modified(false, true));
    }

    /** Asks to move it to the dead-letter queue. */
    public void deadLetter() {
        settle(new Rejected());
    }

    /** Gives it back without a failed delivery. */
    public void release() {
        settle(Released.getInstance());
    }

    private void settle(DeliveryState state) {
        delivery.disposition(state, false);
    }
}
