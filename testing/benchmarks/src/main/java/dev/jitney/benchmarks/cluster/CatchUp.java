package dev.jitney.benchmarks.cluster;

import dev.jitney.benchmarks.load.BenchPlan;
import dev.jitney.benchmarks.load.Quiet;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Followers that come back while clients send and receive: one that was away, which gets entries of the log (CL-93), and one that has
 * lost its disk, which gets a checkpoint (CL-94). Used by one thread.
 */
public final class CatchUp implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(30);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final JitneyCluster cluster;
    private final BrokerNode follower;
    private final SteadyLoad load;

    /**
     * Starts the load.
     *
     * @param plan a plan that lasts longer than all measurements
     */
    public CatchUp(JitneyCluster cluster, BenchPlan plan) throws IOException {
        this.cluster = cluster;
        BrokerNode leader = cluster.awaitLeader(PATIENCE);
        this.follower = cluster.otherThan(leader);
        this.load = new SteadyLoad(plan, leader.endpoint());
    }

    /**
     * The return of a follower.
     *
     * @param before messages per second while all nodes are in sync
     * @param away messages per second while the follower is away
     * @param during messages per second from its start until it is in sync
     * @param seconds the time from its start until it is in sync
     */
    public record Return(double before, double away, double during, double seconds) {
        /** Returns the part of the throughput that remains while the follower catches up. */
        public double kept() {
            return during / before;
        }
    }

    /** Lets the load run without a measurement. */
    public void warmUp(long seconds) throws IOException, InterruptedException {
        load.during(seconds);
    }

    /**
     * Kills the follower, starts it again later, and waits until all nodes are in sync.
     *
     * @param beforeSeconds time to measure the throughput before
     * @param awaySeconds time that it stays away
     * @param wiped whether it loses its data
     */
    public Return comesBack(long beforeSeconds, long awaySeconds, boolean wiped)
            throws IOException, InterruptedException {
        double before = load.during(beforeSeconds);
        follower.kill();
        cluster.awaitAway(follower, PATIENCE);
        double away = load.during(awaySeconds);
        if (wiped) {
            cluster.wipe(follower);
        }
        load.mark();
        long start = System.nanoTime();
        follower.launch();
        awaitWhole();
        double seconds = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
        return new Return(before, away, load.perSecond(), seconds);
    }

    /** Waits with long pauses, because every look costs processor time that the load lacks. */
    private void awaitWhole() throws IOException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!cluster.isWhole()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("Expected all nodes to be in sync, but got: " + cluster.errors());
            }
            Quiet.park(POLL_NANOS);
        }
    }

    /**
     * Ends the load.
     *
     * @throws IOException if clients had a problem
     */
    public void end() throws IOException, InterruptedException {
        String trouble = load.end();
        if (trouble != null) {
            throw new IOException("Expected clients without problems, but got: " + trouble);
        }
    }

    @Override
    public void close() {
        load.close();
    }
}
