package dev.jitney.simulation.model.state;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.runtime.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The order of events and the times of the model: counts of shard turns, of client requests, and of faults. A request
 * is older than another one if its number is smaller.
 */
public final class Timeline {
    private final Clock clock;

    /** The turns of each store's shard. */
    private final List<ShardTurns> shards = new ArrayList<>();

    private long disturbances;
    private long requests;
    private long horizon = Long.MAX_VALUE;
    private long processes;
    private BooleanSupplier lease = () -> true;

    public Timeline(int stores, Clock clock) {
        this.clock = clock;
        for (int i = 0; i < stores; i++) {
            shards.add(new ShardTurns());
        }
    }

    public int stores() {
        return shards.size();
    }

    public List<ShardTurns> shards() {
        return shards;
    }

    /** Returns the turns of the shard of a store. */
    public ShardTurns shard(int store) {
        return shards.get(store);
    }

    /** Returns the time of the clock in milliseconds since the epoch. */
    public long clockMs() {
        return clock.nowMs();
    }

    /** Returns the latest time of the clock and all shards. */
    public long latestMs() {
        long latest = clockMs();
        for (ShardTurns shard : shards) {
            latest = Math.max(latest, shard.nowMs());
        }
        return latest;
    }

    /** Called when a process starts. Earlier ones may continue without knowing it, but they must not answer any more. */
    public void processBegins() {
        processes++;
    }

    /** Returns the number of the newest process. */
    public long process() {
        return processes;
    }

    /** Sets the condition under which the newest process may release outputs (CL-9). */
    public void setLease(BooleanSupplier held) {
        lease = held;
    }

    /**
     * Checks that a process may release an output: it is the newest one, and no other one can have started unnoticed.
     *
     * @param process the number of the process
     */
    public void requireLease(long process, Object about) {
        requireNewest(process, about);
        check(lease.getAsBoolean(), "CL-9: Expected no output of a leader without a lease", about);
    }

    /** Checks that a process may say that something is stored: it is the newest one. */
    void requireNewest(long process, Object about) {
        check(process == processes, "CL-2, CL-9: Expected no output of a leader after another one was elected", about);
    }

    /** Returns the number of a new request. */
    long nextRequest() {
        return requests++;
    }

    /** Returns the number of requests so far. */
    public long requests() {
        return requests;
    }

    /** Counts a fault. For some time after it, replies may be rejections. */
    public void disturb() {
        disturbances++;
    }

    /** Returns the number of faults so far. */
    public long disturbances() {
        return disturbances;
    }

    /** Called when a durable batch of a store is about to be judged. */
    public void judging(int store) {
        horizon = shards.get(store).durable();
    }

    /** Called when the batch is judged. */
    public void judged() {
        horizon = Long.MAX_VALUE;
    }

    /** Returns the first request that is too new for the current batch. */
    public long horizon() {
        return horizon;
    }

    /** Returns whether a fault has occurred since the last turn of some store. */
    public boolean isDisturbed() {
        for (ShardTurns shard : shards) {
            if (shard.isTroubled() || shard.isDisturbed(disturbances)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether some store is in the middle of a commit. */
    public boolean isCommitting() {
        return shards.stream().anyMatch(ShardTurns::isCommitting);
    }

    /** Returns whether a store certainly works. A commit may be delayed (PART-41). */
    public boolean isHealthy(int store) {
        ShardTurns shard = shard(store);
        return !shard.isTroubled() && !shard.isDisturbed(disturbances) && !shard.isCommitting();
    }
}
