package dev.jitney.testing.client;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.jspecify.annotations.Nullable;

/** A receiving link that replenishes its credit. Use it only on the event loop of its connection. */
public final class ReceiverLink {
    private static final Symbol SESSION_FILTER = Symbol.valueOf("com.microsoft:session-filter");

    private final Receiver receiver;
    private final int window;
    private final Settling settling;
    private final Listener listener;
    private boolean paused;

    /** A listener of a receiving link, called on the event loop. */
    public interface Listener {

        /** Receives a complete message. */
        void received(ReceiverLink link, Incoming message);

        /** Receives the broker's outcome of a settlement. */
        default void settled(Incoming message, Outcome outcome) {}

        /** Called when the broker has closed the link. */
        default void closed(AmqpException reason) {}
    }

    private ReceiverLink(Receiver receiver, int window, Settling settling, Listener listener) {
        this.receiver = receiver;
        this.window = window;
        this.settling = settling;
        this.listener = listener;
    }

    static CompletableFuture<ReceiverLink> open(
            ClientConnection connection, String address, int window, Settling settling, Listener listener) {
        return open(connection, address, new Source().setAddress(address), window, settling, listener);
    }

    static CompletableFuture<ReceiverLink> openSession(
            ClientConnection connection, String address, @Nullable String sessionId, int window, Listener listener) {
        Map<Symbol, Object> filter = new HashMap<>();
        filter.put(SESSION_FILTER, sessionId);
        Source source = new Source().setAddress(address).setFilter(filter);
        return open(connection, address, source, window, Settling.CONFIRMED, listener);
    }

    private static CompletableFuture<ReceiverLink> open(
            ClientConnection connection,
            String address,
            Source source,
            int window,
            Settling settling,
            Listener listener) {
        Receiver receiver = connection.session().receiver("r-" + address + "-" + System.nanoTime());
        ReceiverLink link = new ReceiverLink(receiver, window, settling, listener);
        CompletableFuture<ReceiverLink> opened = new CompletableFuture<>();
        receiver.setSource(source);
        receiver.setTarget(new Target());
        receiver.setSenderSettleMode(settling.senderMode());
        receiver.setReceiverSettleMode(settling.receiverMode());
        receiver.deliveryReadHandler(link::read);
        receiver.deliveryStateUpdatedHandler(link::updated);
        receiver.openHandler(answered -> {
            if (receiver.getRemoteSource() != null) {
                opened.complete(link);
                if (window > 0) {
                    receiver.addCredit(window);
                }
            }
        });
        receiver.closeHandler(over -> {
            AmqpException reason = ClientConnection.error(
                    over.getRemoteCondition(), "The broker closed the link from " + address + ".");
            if (!opened.completeExceptionally(reason)) {
                listener.closed(reason);
            }
            receiver.close();
        });
        receiver.open();
        return opened;
    }

    /** Returns the id of the session from the broker, or null if the link was not opened for one. */
    public @Nullable String sessionId() {
        Source granted = receiver.getRemoteSource();
        Map<Symbol, Object> filter = granted == null ? null : granted.getFilter();
        Object id = filter == null ? null : filter.get(SESSION_FILTER);
        return id == null ? null : id.toString();
    }

    /** Stops giving credit. Messages for credit already given may still arrive. */
    public void pause() {
        paused = true;
    }

    /** Gives credit again after {@link #pause}. */
    public void resume() {
        paused = false;
        topUp();
    }

    /** Closes the link. */
    public void close() {
        receiver.close();
    }

    private void read(IncomingDelivery delivery) {
        if (delivery.isPartial()) {
            return;
        }
        ProtonBuffer payload = delivery.readAll();
        Incoming message = new Incoming(delivery, payload);
        if (settling == Settling.BEFORE_ARRIVAL) {
            delivery.settle();
        }
        listener.received(this, message);
        topUp();
    }

    private void topUp() {
        if (!paused && window > 0 && receiver.getCredit() <= window / 2 && receiver.isLocallyOpen()) {
            receiver.addCredit(window - receiver.getCredit());
        }
    }

    private void updated(IncomingDelivery delivery) {
        if (delivery.isRemotelySettled()) {
            Incoming message = delivery.getLinkedResource();
            delivery.settle();
            listener.settled(message, Outcome.of(delivery.getRemoteState()));
        }
    }
}
