package dev.jitney.paired;

/** How a primary factory thinks of one queue or topic; the table of changes is at {@code PathMonitor} (18.2). */
public enum PathState {
    /** Sends go to the primary. */
    HEALTHY,
    /** Sends go to the primary and have begun to fail; unless one succeeds the failover interval ends in a failover. */
    SUSPECT,
    /** Sends go to a backlog queue of the secondary; pings ask whether the primary is back. */
    FAILED_OVER,
    /** Sends fail, since pings fail for good; only with {@link FailureClassifier#LEGACY}. */
    UNREACHABLE,
    /** The factory is closed or has failed. */
    CLOSED
}
