package dev.jitney.core.queue.state;

import dev.jitney.core.Lane;
import dev.jitney.core.queue.ReceiverView;
import dev.jitney.model.ReceiveMode;

/** An attached receiver and its remaining credit. */
final class ReceiverState implements ReceiverView {
    final long id;
    final Lane lane;
    final ReceiveMode mode;
    long delivered;
    long deliveryLimit;
    boolean drain;

    /** True if it gets no messages, and no answer to a drain, until it sets its credit again. */
    boolean paused;

    ReceiverState(long id, Lane lane, ReceiveMode mode) {
        this.id = id;
        this.lane = lane;
        this.mode = mode;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public ReceiveMode mode() {
        return mode;
    }

    @Override
    public long delivered() {
        return delivered;
    }

    @Override
    public long deliveryLimit() {
        return deliveryLimit;
    }

    @Override
    public boolean drain() {
        return drain;
    }

    @Override
    public long demand() {
        return Math.max(0, deliveryLimit - delivered);
    }
}
