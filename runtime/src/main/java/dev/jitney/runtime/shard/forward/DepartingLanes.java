package dev.jitney.runtime.shard.forward;

import dev.jitney.runtime.rows.StoreRowReader.OutboxLane;
import dev.jitney.runtime.shard.entity.ShardEntities;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of an outbox that have a batch to send, and the number of batches in flight. The stores of the destinations
 * take turns.
 *
 * <p>A store that does not answer keeps its batches in flight. So that it does not stop the others (DLQ-32, PART-55),
 * each store may have a few batches in flight even if the other stores use up the limit.
 *
 * <p>For the shard's thread.
 */
final class DepartingLanes {
    /** The limit of batches in flight, apart from those that each store may have anyway. Bounds their memory. */
    private static final int BATCHES_MAX = 64;

    /** The number of batches that a store may have in flight regardless of the other stores. */
    private static final int BATCHES_PER_STORE = 8;

    private final Map<Integer, Destinations> byStore = new HashMap<>();

    /** The same in the order of their turns. */
    private final ArrayDeque<Destinations> turns = new ArrayDeque<>();

    private int inFlight;

    /** The destinations in one store. */
    private static final class Destinations {
        final ArrayDeque<TransferLane> ready = new ArrayDeque<>();
        int inFlight;
    }

    /** Adds a lane with transfers and without a batch in flight. */
    void add(TransferLane lane) {
        store(lane.key).ready.add(lane);
    }

    /** Removes and returns a lane whose next batch may be sent now, or returns null. */
    @Nullable
    TransferLane next() {
        for (int i = 0; i < turns.size(); i++) {
            Destinations store = turns.remove();
            turns.add(store);
            if (!store.ready.isEmpty() && (inFlight < BATCHES_MAX || store.inFlight < BATCHES_PER_STORE)) {
                return store.ready.remove();
            }
        }
        return null;
    }

    /** Counts a batch that was sent. */
    void sent(OutboxLane key) {
        store(key).inFlight++;
        inFlight++;
    }

    /** Stops counting a batch that was answered. */
    void answered(OutboxLane key) {
        store(key).inFlight--;
        inFlight--;
    }

    /** Drops all lanes and batches. */
    void clear() {
        byStore.clear();
        turns.clear();
        inFlight = 0;
    }

    private Destinations store(OutboxLane key) {
        return byStore.computeIfAbsent(ShardEntities.shardOf(key.destinationId()), index -> {
            Destinations store = new Destinations();
            turns.add(store);
            return store;
        });
    }
}
