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

/** A message received by a {@link ReceiverLink}. Use it only on the event loop of its connection. */
public final class Incoming {
    private final IncomingDelivery delivery;
    private final ProtonBuffer payload;
    private @Nullable Object context;

    Incoming(IncomingDelivery delivery, ProtonBuffer payload) {
        this.delivery = delivery;
        this.payload = payload;
        delivery.setLinkedResource(this);
    }

    /** Returns the size of the encoded message. */
    public int sizeBytes() {
        return payload.getReadableBytes();
    }

    /** Returns eight bytes of the encoded message at an offset from its end; fast, for stamps in a body that comes last. */
    public long longFromEnd(int bytesBeforeEnd) {
        return payload.getLong(payload.getReadOffset() + payload.getReadableBytes() - bytesBeforeEnd);
    }

    /** Returns the decoded message. */
    public ReceivedMessage message() {
        return Messages.decode(payload.copy());
    }

    /** Returns the object from {@link #context(Object)}. */
    public @Nullable Object context() {
        return context;
    }

    /** Keeps an object until the settlement is confirmed. */
    public void context(Object value) {
        context = value;
    }

    /** Requests completion of the message. The link's listener receives the outcome. */
    public void complete() {
        settle(Accepted.getInstance());
    }

    /** Completes the message and settles it, on a link of {@link Settling#BY_RECEIVER}: there is no response. */
    public void completeUnanswered() {
        delivery.disposition(Accepted.getInstance(), true);
    }

    /** Requests completion of the message in a transaction. */
    public void complete(Binary transaction) {
        settle(new TransactionalState().setTxnId(transaction).setOutcome(Accepted.getInstance()));
    }

    /** Requests to abandon the message: it is unlocked, and its delivery count grows. */
    public void abandon() {
        settle(new Modified(true, false));
    }

    /** Requests to defer the message. */
    public void defer() {
        settle(new Modified(false, true));
    }

    /** Requests to move the message to the dead-letter queue. */
    public void deadLetter() {
        settle(new Rejected());
    }

    /** Returns the message to the queue without a failed delivery. */
    public void release() {
        settle(Released.getInstance());
    }

    private void settle(DeliveryState state) {
        delivery.disposition(state, false);
    }
}
