package dev.jitney.simulation.cluster;

/** The fault that happens at the next commit of the leader. */
public enum Plan {
    NOTHING,
    /** The consensus refuses the batch, and no log has it. */
    REFUSE,
    /** Other events happen before the batch is agreed on. */
    STALL,
    /** The process of the leader stands still when the batch is in its log; others may elect a leader meanwhile. */
    FREEZE,
    /** The network disconnects the leader when some nodes may have the batch. */
    CUT_OFF,
    /** The batch is agreed on, and the leader does not get to know. */
    LOSE_ANSWER,
    /** The node loses the leadership and leads again in a later term, in which its log has the batch (CL-3). */
    COME_BACK,
    /** The log has the batch twice. */
    TWICE,
    /** The leader stops leading after some parts of the batch (CL-7). */
    PART_WAY,
    /** The consensus does not take one of the parts of the batch, but the others (CL-7). */
    PART_LOST,
    /** The batch is agreed on, and the leader's copy fails to take it. */
    APPLY_FAILS,
    /** The leader is killed before other nodes have the batch. */
    KILL_UNSENT,
    /** The leader is killed when other nodes have the batch. */
    KILL_SENT,
    /** The leader is killed after the batch was agreed on and before the broker gets to know. */
    KILL_AGREED
}
