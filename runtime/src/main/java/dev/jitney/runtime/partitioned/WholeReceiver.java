package dev.jitney.runtime.partitioned;

import dev.jitney.core.Command;

/** A receiver of a partitioned entity as its owner sees it. Any thread may call it. */
interface WholeReceiver {

    /** Tells how many messages its owner wants. */
    void credit(Command.SetCredit credit);

    /** Whether its owner wants something now (IDLE-7). */
    boolean isWaiting();

    /** Ends it; its owner is told nothing more. */
    void detach();

    /** The number of the receiver that holds the session, in the fragment. */
    long receiverId();
}
