package dev.jitney.server.node;

import dev.jitney.runtime.ShardFigures;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the broker of a leader, twice a second on a thread of its own. If it cannot open, or a store fails, or rows of an
 * entity are damaged, another node should lead (CL-16). While none can, the broker serves the rest, as a single node
 * does, or its opening is repeated after pauses of up to {@value #PAUSE_MAX_MS} ms.
 */
public final class LeaderCare implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderCare.class);
    private static final long LOOK_MS = 500;
    private static final long PAUSE_MAX_MS = 8_000;

    private final Leader leader;
    private final CountDownLatch closed = new CountDownLatch(1);
    private long suspectedTerm;
    private long pauseMs;
    private long nextNanos = System.nanoTime();

    /** The leadership of this node. */
    public interface Leader {
        /** Returns the term in which this node leads, or 0. */
        long term();

        /** Returns null if the broker of the current term works as a whole, otherwise a sentence about the fault. */
        @Nullable
        String fault();

        /** Returns whether the broker of the current term could not be opened. */
        boolean isOpeningDue();

        /** Tries to open the broker of the current term again. Does nothing if the term has ended. */
        void open();

        /**
         * Lets another node lead.
         *
         * @return whether another node leads
         */
        boolean letAnotherLead(long term, String cause);
    }

    /** @param leader the leadership to check */
    public LeaderCare(Leader leader) {
        this.leader = leader;
    }

    /**
     * Returns the sentence about a broker that does not work as a whole, or null. A store that an administrator has
     * stopped, or that is full, is no fault (CL-34, CL-43).
     */
    public static @Nullable String fault(List<ShardFigures> shards) {
        for (ShardFigures shard : shards) {
            if (!shard.stopped() && (!shard.serving() || shard.damagedEntities() > 0)) {
                String trouble = shard.trouble();
                return trouble == null ? "Messaging store " + shard.index() + " does not respond." : trouble;
            }
        }
        return null;
    }

    /** Starts the checks. Called once. */
    public void start(String node) {
        Thread thread = new Thread(this::lookForever, "cluster-care-" + node);
        thread.setDaemon(true);
        thread.start();
    }

    private void lookForever() {
        try {
            while (!closed.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
                look();
            }
        } catch (InterruptedException e) {
            LOG.debug("The checks of the leader have ended.");
        }
    }

    /** Looks once. */
    void look() {
        try {
            long term = leader.term();
            String fault = term == 0 ? null : leader.fault();
            if (fault == null) {
                suspectedTerm = 0;
                pauseMs = 0;
                return;
            }
            // The stores of a term that ends refuse everything; the second look finds another term then.
            boolean again = suspectedTerm == term;
            suspectedTerm = term;
            if (again && !leader.letAnotherLead(term, fault)) {
                openAgain();
            }
        } catch (RuntimeException e) {
            LOG.warn("Could not check the broker of the leader; the next attempt follows.", e);
        }
    }

    private void openAgain() {
        long now = System.nanoTime();
        if (leader.isOpeningDue() && now - nextNanos >= 0) {
            pauseMs = Math.min(PAUSE_MAX_MS, Math.max(LOOK_MS, 2 * pauseMs));
            leader.open();
            nextNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMs);
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
