package dev.jitney.core.queue;

import dev.jitney.model.ReceiveMode;

/** An attached receiver and its remaining credit, in the view of decisions. */
public interface ReceiverView {

    long id();

    ReceiveMode mode();

    /** Returns the number of messages delivered since it attached. */
    long delivered();

    /** Returns the total number of messages that it accepts since it attached. */
    long deliveryLimit();

    /** Returns whether it must be notified when no more messages are available. */
    boolean drain();

    /** Returns the remaining credit, never negative. */
    long demand();
}
