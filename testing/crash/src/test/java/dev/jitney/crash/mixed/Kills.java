package dev.jitney.crash.mixed;

import dev.jitney.testing.process.ServerProcess;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A counter of the kills of a server that is started again each time, or of the connections that clients of a cluster open
 * again. A request that overlaps none of them has one reply and happens once. The effect of all other requests is unknown.
 * Thread-safe.
 */
public final class Kills {
    /** The shortest time in which a client notices a lost connection, opens another one and loses that one too. */
    private static final long WAVE_MS = 100;

    /** Even while no kill is in progress; odd from before a kill until the process has ended. */
    private int era;

    private volatile long lastMs;
    private volatile long doubtfulMs;
    private final List<Long> connectionsMs = new ArrayList<>();

    /**
     * A moment, from which overlapping kills are counted.
     *
     * @param era the number of kills before, twice, and one more during a kill
     * @param connections the number of new connections before
     */
    record Moment(int era, int connections) {}

    /** Returns this moment. */
    synchronized Moment now() {
        return new Moment(era, connectionsMs.size());
    }

    /** Returns the end of the last process in milliseconds since the epoch. Older locks are void (STATE-4). */
    long lastMs() {
        return lastMs;
    }

    /** Returns the time of the last new connection to a cluster. Older locks may be void. */
    long doubtfulMs() {
        return doubtfulMs;
    }

    /**
     * Returns the maximum number of kills that overlap a request of one client between a moment and now. Clients lose their
     * connections together, and one client opens a new connection once within {@value #WAVE_MS} ms at most. So the new
     * connections since that moment count as often as one client can have opened them.
     */
    synchronized int since(Moment before) {
        int count = (era + 1) / 2 - before.era / 2;
        long lastMs = Long.MIN_VALUE;
        for (long connectedMs : connectionsMs.subList(before.connections, connectionsMs.size())) {
            if (lastMs == Long.MIN_VALUE || connectedMs - lastMs >= WAVE_MS) {
                lastMs = connectedMs;
                count++;
            }
        }
        return count;
    }

    /** Kills the server with {@code kill -9}. Called by one thread. */
    void kill(ServerProcess server) throws InterruptedException {
        changeEra();
        server.kill();
        lastMs = System.currentTimeMillis();
        changeEra();
    }

    private synchronized void changeEra() {
        era++;
    }

    /**
     * Records a new connection of a client of a cluster, before it carries a byte. A message is stored again only over a new
     * connection.
     */
    public synchronized void connected() {
        doubtfulMs = System.currentTimeMillis();
        connectionsMs.add(doubtfulMs);
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

    /** Returns the end of the last process and the last connections, for error reports. */
    @Override
    public synchronized String toString() {
        int all = connectionsMs.size();
        return "The last leader ended at " + Instant.ofEpochMilli(lastMs) + ", the last connections came at "
                + connectionsMs.subList(Math.max(0, all - 20), all).stream()
                        .map(Instant::ofEpochMilli)
                        .toList();
    }
}
