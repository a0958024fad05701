package dev.jitney.runtime.shard;

import dev.jitney.runtime.ReceiverListener;
import java.util.concurrent.Executor;

/**
 * The listener of an attached receiver, with the credit and deliveries counted for its receive calls. For the shard's
 * thread.
 */
final class AttachedReceiver {
    private final Executor executor;
    private final ReceiverListener listener;

    /** The number of deliveries allowed since the receiver was attached. */
    private long limit;

    private long delivered;

    /** Deliveries that are about to be committed and not yet announced to the listener. */
    private int announced;

    private long announcedBytes;

    /** The deliveries made when the receiver last issued credit after using up the previous credit. */
    private long deliveredBefore;

    AttachedReceiver(Executor executor, ReceiverListener listener) {
        this.executor = executor;
        this.listener = listener;
    }

    Executor executor() {
        return executor;
    }

    ReceiverListener listener() {
        return listener;
    }

    void credit(long deliveryLimit) {
        if (delivered >= limit) {
            deliveredBefore = delivered;
        }
        limit = deliveryLimit;
    }

    /** Counts a delivery. Returns true if it is the first one since {@link #announce}. */
    boolean delivered(int bytes) {
        delivered++;
        announcedBytes += bytes;
        return announced++ == 0;
    }

    /**
     * Announces the deliveries that are about to be committed. Returns false if the receiver must get no more for now.
     */
    boolean announce() {
        long bytes = announcedBytes;
        announced = 0;
        announcedBytes = 0;
        return listener.onDelivering(bytes);
    }

    /** Returns whether the receive call that the drain ends got no message (MET-1). */
    boolean drained(long deliveryLimit) {
        boolean empty = delivered == deliveredBefore && delivered < deliveryLimit;
        delivered = deliveryLimit;
        return empty;
    }
}
