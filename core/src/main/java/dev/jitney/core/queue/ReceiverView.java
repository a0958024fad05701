package dev.jitney.core.queue;

import dev.jitney.model.ReceiveMode;

/** One attached receiver and how much more it wants, as decisions see it. */
public interface ReceiverView {

    long id();

    ReceiveMode mode();

    /** How many messages it has got since it attached. */
    long delivered();

    /** How many it wants in all since it attached. */
    long deliveryLimit();

    /** Whether it is to be told when nothing more is available. */
    boolean drain();

    /** How many messages more it wants, never negative. */
    long demand();
}
