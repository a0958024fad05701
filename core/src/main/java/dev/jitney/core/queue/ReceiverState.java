package dev.jitney.core.queue;

import dev.jitney.core.Lane;
import dev.jitney.model.ReceiveMode;

/** One attached receiver and how much more it wants. */
final class ReceiverState {
    final long id;
    final Lane lane;
    final ReceiveMode mode;
    long delivered;
    long deliveryLimit;
    boolean drain;

    /** Whether it gets nothing, and no answer to a drain, until it sets its credit again. */
    boolean paused;

    ReceiverState(long id, Lane lane, ReceiveMode mode) {
        this.id = id;
        this.lane = lane;
        this.mode = mode;
    }

    long demand() {
        return Math.max(0, deliveryLimit - delivered);
    }
}
