package dev.jitney.cluster.node;

/**
 * The pause after a checkpoint that could not be installed (CL-45). The first pauses are short, because a failure may be the end of a
 * leader. Later ones grow, because each attempt makes the leader write table files and a checkpoint. Not thread-safe.
 */
final class InstallPause {
    static final long PAUSE_MS = 1_000;
    static final long PAUSE_MAX_MS = 60_000;

    /** The number of pauses of the shortest length. */
    private static final int SHORT = 3;

    private static final int DOUBLINGS_MAX = 6;

    private int failures;
    private String leader = "";

    /**
     * Returns the pause after a failure, in milliseconds.
     *
     * @param from the leader from which the checkpoint came; another one begins with short pauses again
     */
    long failed(String from) {
        failures = from.equals(leader) ? failures + 1 : 1;
        leader = from;
        int doublings = Math.min(DOUBLINGS_MAX, Math.max(0, failures - SHORT));
        return Math.min(PAUSE_MAX_MS, PAUSE_MS << doublings);
    }

    /** Notes that a checkpoint was installed. */
    void succeeded() {
        failures = 0;
    }
}
