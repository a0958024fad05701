package dev.jitney.paired;

/** The state of one queue or topic in a primary factory. The transitions are listed at {@code PathMonitor} (18.2). */
public enum PathState {
    /** Sends go to the primary. */
    HEALTHY,
    /** Sends go to the primary and have started to fail. Unless one succeeds, the path fails over after the failover interval. */
    SUSPECT,
    /** Sends go to a backlog queue of the secondary. Pings check whether the primary is available again. */
    FAILED_OVER,
    /** Sends fail, because pings fail permanently. Only with {@link FailureClassifier#LEGACY}. */
    UNREACHABLE,
    /** The factory is closed or has failed. */
    CLOSED
}
