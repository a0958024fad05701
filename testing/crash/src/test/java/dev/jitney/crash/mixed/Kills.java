package dev.jitney.crash.mixed;

import dev.jitney.testing.process.ServerProcess;

/**
 * A counter of the kills of a server that is started again each time. A request that overlaps no kill has one reply and
 * happens once. The effect of all other requests is unknown. Thread-safe.
 */
final class Kills {
    /** Even while no kill is in progress; odd from before a kill until the process has ended. */
    private volatile int era;

    private volatile long lastMs;

    /** Returns the current era. A request that begins and ends in the same even era overlaps no kill. */
    int era() {
        return era;
    }

    /** Returns the end of the last process in milliseconds since the epoch. */
    long lastMs() {
        return lastMs;
    }

    /** Returns the maximum number of kills that overlap a request which began and ended in these eras. */
    static int between(int before, int after) {
        return (after + 1) / 2 - before / 2;
    }

    /** Kills the server with {@code kill -9}. Called by one thread. */
    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    void kill(ServerProcess server) throws InterruptedException {
        era++;
        server.kill();
        lastMs = System.currentTimeMillis();
        era++;
    }
}
