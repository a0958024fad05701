package dev.jitney.runtime.shard;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A moment at which several shards stand between two commits. Each shard arrives at the start of its next turn and waits there,
 * until all have arrived and an action is done. So the stores of all shards together are in a state that a power failure at this
 * moment could leave, and no shard has released an effect of a later one.
 *
 * <p>A shard waits only for a bounded time for the others, because its clients wait with it. If one of them is late, the moment
 * fails, and the caller tries again. Only the action itself is awaited without a bound, so it must be short.
 *
 * <p>One use. {@link #await} is for a thread that is not a shard's.
 */
public final class SharedMoment {
    private final int shards;
    private final long waitNanos;
    private final Runnable action;

    // Guarded by this.
    private int arrived;
    private long firstNanos;
    private long pausedNanos;
    private boolean over;
    private boolean failed;
    private @Nullable RuntimeException wrong;

    private SharedMoment(int shards, long waitNanos, Runnable action) {
        this.shards = shards;
        this.waitNanos = waitNanos;
        this.action = action;
    }

    /**
     * Waits for the moment, and runs the action in it.
     *
     * @param waitNanos the time for which a shard waits for the others
     * @param action    runs in the thread of the shard that arrives last, while no shard commits
     * @return the time for which the first shard was held up, in nanoseconds; -1 if the shards did not arrive in time
     */
    public static long await(List<Shard> shards, long waitNanos, Runnable action) throws InterruptedException {
        SharedMoment moment = new SharedMoment(shards.size(), waitNanos, action);
        try {
            shards.forEach(shard -> shard.arriveAt(moment));
            return moment.await();
        } finally {
            shards.forEach(shard -> shard.leave(moment));
            moment.fail(); // no shard waits any longer, also after an interrupt
        }
    }

    private synchronized long await() throws InterruptedException {
        // An idle shard arrives when it is woken, a busy one after its commit, which a disk may delay.
        long end = System.nanoTime() + waitNanos + TimeUnit.SECONDS.toNanos(1);
        while (!over && !failed) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                fail();
            } else {
                wait(left);
            }
        }
        RuntimeException thrown = wrong;
        if (thrown != null) {
            throw thrown;
        }
        return over ? pausedNanos : -1;
    }

    private synchronized void fail() {
        failed = true;
        notifyAll();
    }

    /** Waits until the moment is over. On the thread of a shard, between two commits. */
    synchronized void arrive() {
        if (over || failed) {
            return;
        }
        if (arrived++ == 0) {
            firstNanos = System.nanoTime();
        }
        if (arrived == shards) {
            act();
            return;
        }
        boolean interrupted = false;
        while (!over && !failed) {
            long left = firstNanos + waitNanos - System.nanoTime();
            try {
                if (left <= 0) {
                    fail();
                } else {
                    TimeUnit.NANOSECONDS.timedWait(this, left);
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs the action. The others wait for this object's lock, so none of them leaves before its end. */
    private void act() {
        try {
            action.run();
        } catch (RuntimeException e) {
            wrong = e;
        }
        pausedNanos = System.nanoTime() - firstNanos;
        over = true;
        notifyAll();
    }
}
