package dev.jitney.conformance.cluster;

/** A change of the leader. */
enum Change {
    /** The leader ends with SIGKILL, and does not come back during the test. */
    KILL,
    /** The leadership is moved to another node by order, and all nodes stay. */
    MOVE
}
