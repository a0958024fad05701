package dev.jitney.crash.mixed;

import dev.jitney.testing.process.ServerProcess;

/**
 * A counter of the kills of a server that is started again each time, or of the connections that clients of a cluster open
 * again. A request that overlaps none of them has one reply and happens once. The effect of all other requests is unknown.
 * Thread-safe.
 */
public final class Kills {
    /** The shortest time in which a client notices a lost connection, opens another one and loses that one too. */
    private static final long WAVE_MS = 100;

    /** Even while no kill is in progress; odd from before a kill until the process has ended. */
    private volatile int era;

    private volatile long lastMs;
    private volatile long doubtfulMs;
    private long waveMs;

    /** Returns the current era. A request that begins and ends in the same even era overlaps no kill. */
    int era() {
        return era;
    }

    /** Returns the end of the last process in milliseconds since the epoch. Older locks are void (STATE-4). */
    long lastMs() {
        return lastMs;
    }

    /** Returns the time of the last new connection to a cluster. Older locks may be void. */
    long doubtfulMs() {
        return doubtfulMs;
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

    /**
     * Records a new connection of a client of a cluster, before it carries a byte. A message is stored again only over a new
     * connection. Clients lose their connections together, so that several of them within a short time count as one.
     */
    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    public synchronized void connected() {
        long now = System.currentTimeMillis();
        doubtfulMs = now;
        if (now - waveMs >= WAVE_MS) {
            waveMs = now;
            era += 2;
        }
    }

    /** Records that a leader was lost for certain, so that all its locks are void. */
    public void leaderLost() {
        leaderLostAt(System.currentTimeMillis());
    }

    /**
     * Records that a leader was lost for certain.
     *
     * @param nowMs the time in milliseconds since the epoch after which it created no lock
     */
    public void leaderLostAt(long nowMs) {
        lastMs = nowMs;
    }
}
