package dev.jitney.testing.client;

import java.util.concurrent.CompletableFuture;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.engine.OutgoingDelivery;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.engine.impl.ProtonDeliveryTagGenerator;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.ReceiverSettleMode;
import org.apache.qpid.protonj2.types.transport.SenderSettleMode;

/** A sending link. Use it only on the event loop of its connection. */
public final class SenderLink {
    private final ClientConnection connection;
    private final Sender sender;
    private int unanswered;

    /** A listener of a sending link, called on the event loop. */
    public interface Listener {

        /** Called when there may be credit and room. Send while {@link SenderLink#canSend()}. */
        void ready(SenderLink link);

        /** Receives the broker's outcome of one send. */
        void answered(Object context, Outcome outcome);

        /** Called when the broker has closed the link. No more outcomes follow. */
        default void closed(AmqpException reason) {}
    }

    private SenderLink(ClientConnection connection, Sender sender) {
        this.connection = connection;
        this.sender = sender;
    }

    static CompletableFuture<SenderLink> open(ClientConnection connection, String address, Listener listener) {
        Sender sender = connection.session().sender("s-" + address + "-" + System.nanoTime());
        SenderLink link = new SenderLink(connection, sender);
        CompletableFuture<SenderLink> opened = new CompletableFuture<>();
        sender.setSource(new Source());
        sender.setTarget(new Target().setAddress(address));
        sender.setSenderSettleMode(SenderSettleMode.UNSETTLED);
        sender.setReceiverSettleMode(ReceiverSettleMode.FIRST);
        sender.setDeliveryTagGenerator(ProtonDeliveryTagGenerator.BUILTIN.POOLED.createGenerator());
        sender.deliveryStateUpdatedHandler(delivery -> {
            if (delivery.isRemotelySettled()) {
                link.unanswered--;
                Object context = delivery.getLinkedResource();
                Outcome outcome = Outcome.of(delivery.getRemoteState());
                delivery.settle();
                listener.answered(context, outcome);
            }
        });
        sender.creditStateUpdateHandler(updated -> {
            if (!opened.isDone() && sender.getCredit() > 0) {
                connection.addPump(() -> listener.ready(link));
                opened.complete(link);
            }
        });
        sender.closeHandler(over -> {
            AmqpException reason =
                    ClientConnection.error(over.getRemoteCondition(), "The broker closed the link to " + address + ".");
            if (!opened.completeExceptionally(reason)) {
                listener.closed(reason);
            }
            sender.close();
        });
        sender.open();
        return opened;
    }

    /** Returns whether there is credit, room in the window of the session and room in the socket. */
    public boolean canSend() {
        return sender.isSendable() && connection.isWritable();
    }

    /** Returns the number of sends without an outcome. */
    public int unanswered() {
        return unanswered;
    }

    /**
     * Sends a message; only if {@link #canSend}.
     *
     * @param encoded the message; it is copied, so the caller may reuse the array immediately
     * @param context the object that is passed on with the outcome
     */
    public void send(byte[] encoded, Object context) {
        OutgoingDelivery delivery = sender.next();
        delivery.setLinkedResource(context);
        unanswered++;
        delivery.writeBytes(ProtonByteArrayBufferAllocator.wrapped(encoded));
    }

    /** Sends a message in a transaction, like {@link #send(byte[], Object)}. */
    public void send(byte[] encoded, Object context, Binary transaction) {
        OutgoingDelivery delivery = sender.next();
        delivery.setLinkedResource(context);
        unanswered++;
        delivery.disposition(new TransactionalState().setTxnId(transaction), false);
        delivery.writeBytes(ProtonByteArrayBufferAllocator.wrapped(encoded));
    }

    /** Closes the link. */
    public void close() {
        sender.close();
    }
}
