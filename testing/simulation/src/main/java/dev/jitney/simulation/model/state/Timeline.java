package dev.jitney.simulation.model.state;

import dev.jitney.runtime.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * The order of events and the times that the model knows: turns of the shards, requests of clients and faults, counted. A
 * request is older than another one if its number is smaller.
 */
public final class Timeline {
    private final Clock clock;

    /** One for each store. */
    private final List<ShardTurns> shards = new ArrayList<>();

    private long disturbances;
    private long requests;
    private long horizon = Long.MAX_VALUE;

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

    /** The turns of the shard of a store. */
    public ShardTurns shard(int store) {
        return shards.get(store);
    }

    /** The time of the clock, milliseconds since the epoch. */
    public long clockMs() {
        return clock.nowMs();
    }

    /** The latest time that the clock or a shard has. */
    public long latestMs() {
        long latest = clockMs();
        for (ShardTurns shard : shards) {
            latest = Math.max(latest, shard.nowMs());
        }
        return latest;
    }

    /** The number of a new request. */
    long nextRequest() {
        return requests++;
    }

    /** How many requests there were. */
    public long requests() {
        return requests;
    }

    /** Something went wrong: answers may be refusals for a while. */
    public void disturb() {
        disturbances++;
    }

    /** How often something went wrong. */
    public long disturbances() {
        return disturbances;
    }

    /** A batch of a store is durable; from now on it is judged. */
    public void judging(int store) {
        horizon = shards.get(store).durable();
    }

    /** The batch is judged. */
    public void judged() {
        horizon = Long.MAX_VALUE;
    }

    /** Requests from this one on explain nothing of the batch that is being judged. */
    public long horizon() {
        return horizon;
    }

    /** Whether something has gone wrong since the last turn of some store. */
    public boolean isDisturbed() {
        for (ShardTurns shard : shards) {
            if (shard.isTroubled() || shard.isDisturbed(disturbances)) {
                return true;
            }
        }
        return false;
    }

    /** Whether some store is in the middle of a commit. */
    public boolean isCommitting() {
        return shards.stream().anyMatch(ShardTurns::isCommitting);
    }

    /** Whether a store works for sure; a commit may hang (PART-41). */
    public boolean isHealthy(int store) {
        ShardTurns shard = shard(store);
        return !shard.isTroubled() && !shard.isDisturbed(disturbances) && !shard.isCommitting();
    }
}
