package dev.jitney.runtime.partitioned;

import dev.jitney.core.Command;

/** A receiver of a partitioned entity as its owner uses it. Any thread may call it. */
interface WholeReceiver {

    /** Sets the credit that its owner requests. */
    void credit(Command.SetCredit credit);

    /** Returns whether its owner waits for messages now (IDLE-7). */
    boolean isWaiting();

    /** Ends the receiver; its listener is not called any more. */
    void detach();

    /** Returns the number, in the fragment, of the receiver that holds the session. */
    long receiverId();

    /** Returns the fragment of the session that it holds, or -1 if it holds none. */
    int sessionFragment();
}
