package dev.jitney.runtime;

import java.util.concurrent.Executor;

/** Where a receiver's outputs go, and how its receive calls end. For the shard's thread. */
final class AttachedReceiver {
    private final Executor executor;
    private final ReceiverListener listener;

    /** How far the receiver may go, and how far it has come, in deliveries since it was attached. */
    private long limit;

    private long delivered;

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

    void delivered() {
        delivered++;
    }

    /** Returns whether the call that the drain ends got nothing (MET-1). */
    boolean drained(long deliveryLimit) {
        boolean empty = delivered == deliveredBefore && delivered < deliveryLimit;
        delivered = deliveryLimit;
        return empty;
    }
}
