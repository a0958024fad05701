package dev.jitney.runtime.shard;

import dev.jitney.runtime.ReceiverListener;
import java.util.concurrent.Executor;

/** Where a receiver's outputs go, and how its receive calls end. For the shard's thread. */
final class AttachedReceiver {
    private final Executor executor;
    private final ReceiverListener listener;

    /** How far the receiver may go, and how far it has come, in deliveries since it was attached. */
    private long limit;

    private long delivered;

    /** Deliveries that the listener has not been told are about to be committed. */
    private int announced;

    private long announcedBytes;

    /** How far it had come when it had used up its credit and asked for more. */
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

    /** Counts a delivery; true if it is the first one since {@link #announce}. */
    boolean delivered(int bytes) {
        delivered++;
        announcedBytes += bytes;
        return announced++ == 0;
    }

    /** Tells the listener of the deliveries that are about to be committed; false if it is to get no more. */
    boolean announce() {
        long bytes = announcedBytes;
        announced = 0;
        announcedBytes = 0;
        return listener.onDelivering(bytes);
    }

    /** Returns whether the call that the drain ends got nothing (MET-1). */
    boolean drained(long deliveryLimit) {
        boolean empty = delivered == deliveredBefore && delivered < deliveryLimit;
        delivered = deliveryLimit;
        return empty;
    }
}
