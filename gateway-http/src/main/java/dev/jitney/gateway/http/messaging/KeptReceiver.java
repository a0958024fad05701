package dev.jitney.gateway.http.messaging;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.gateway.http.messaging.MessagingHandler.Place;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Receiver;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A receiver that serves one request after the other of a connection. Between two of them it wants nothing, but that of a
 * partitioned entity keeps what it has fetched already, for the next one (PART-61). For the event loop of the connection.
 */
final class KeptReceiver implements ReceiverListener, ReplyListener {
    private final Place place;
    private final Executor executor;
    private final Receiver receiver;
    private @Nullable WaitingReceive user;
    private boolean over;

    /** Deliveries wanted in all; the receiver's own count stands here whenever nobody uses it. */
    private long limit;

    KeptReceiver(Place place, Executor executor) {
        this.place = place;
        this.executor = executor;
        receiver = place.entity().attach(place.address().subQueue(), ReceiveMode.PEEK_LOCK, executor, this, this);
    }

    /** Whether another request can have it. */
    boolean isUsable() {
        return !over && user == null;
    }

    /** Asks for one message. */
    void use(WaitingReceive next, boolean drain) {
        user = next;
        limit++;
        receiver.setCredit(limit, drain);
    }

    /** Asks to be told that there is none. */
    void drain() {
        receiver.setCredit(limit, true);
    }

    /** Nobody uses it any more; it has brought what was wanted, or said that there is nothing. */
    void leave() {
        user = null;
    }

    /** Ends it. */
    void end() {
        user = null;
        if (!over) {
            over = true;
            receiver.detach();
        }
    }

    /** The receiver is attached. */
    @Override
    public void onReply(Reply reply) {}

    @Override
    public void onRejected(Rejection rejection) {
        over = true;
        WaitingReceive waiting = user;
        if (waiting != null) {
            waiting.onRejected(rejection);
        }
    }

    @Override
    public void onDelivered(MessageView message) {
        WaitingReceive waiting = user;
        UUID token = message.lockToken();
        if (token == null) {
            throw new IllegalStateException("Expected a lock with the message, but there is none.");
        }
        if (waiting != null) {
            waiting.onDelivered(message, token);
        } else { // its client went away while it was on its way
            place.entity().submit(new Command.ReleaseMessages(List.of(token)), executor, ReplyListener.IGNORE);
        }
    }

    @Override
    public void onDrained(long deliveryLimit) {
        WaitingReceive waiting = user;
        if (waiting != null && deliveryLimit >= limit) { // otherwise it was asked by a request that is answered
            waiting.onDrained();
        }
    }

    @Override
    public void onClosed(Rejection reason) {
        over = true;
        WaitingReceive waiting = user;
        if (waiting != null) {
            waiting.onClosed(reason);
        }
    }
}
