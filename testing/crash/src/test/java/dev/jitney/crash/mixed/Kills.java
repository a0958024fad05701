package dev.jitney.crash.mixed;

import dev.jitney.testing.process.ServerProcess;

/**
 * Counts the ends of a server that is killed and started again. What overlaps no kill has one answer and happens once; of
 * everything else nobody can know whether it has happened. Thread-safe.
 */
final class Kills {
    /** Even while nothing is killed, odd from before a kill until the process is gone. */
    private volatile int era;

    private volatile long lastMs;

    /** The present era; what begins and ends in the same even one has met no kill. */
    int era() {
        return era;
    }

    /** When the last process was gone, in milliseconds since the epoch. */
    long lastMs() {
        return lastMs;
    }

    /** How many kills may have cut off what began in one era and ended in another. */
    static int between(int before, int after) {
        return (after + 1) / 2 - before / 2;
    }

    /** {@code kill -9}. Called by one thread. */
    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    void kill(ServerProcess server) throws InterruptedException {
        era++;
        server.kill();
        lastMs = System.currentTimeMillis();
        era++;
    }
}
