package dev.jitney.runtime.shard.entity;

import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pending work for entities of a shard: writing their rows with the next batch, publishing their counters after it,
 * delivering their messages, running their timers, and looking up the age of their messages. For the shard's thread.
 */
public final class ShardScheduler {
    private final EntitiesInShard entitiesInShard;

    /** Entities whose rows must be written with the next batch. */
    private final List<EntityInShard> dirty = new ArrayList<>();

    /** Entities whose counters must be published. */
    private final List<EntityInShard> changed = new ArrayList<>();

    private final ArrayDeque<EntityInShard> ready = new ArrayDeque<>();

    /** Entities with no waiting message in memory, so that the age of the oldest message is unknown. */
    private final ArrayDeque<EntityInShard> headless = new ArrayDeque<>();

    private final EntityTimers timers = new EntityTimers();

    public ShardScheduler(EntitiesInShard entitiesInShard) {
        this.entitiesInShard = entitiesInShard;
    }

    // --- with the commit ---

    /** Schedules the rows of an entity for the next batch. */
    public void write(EntityInShard inShard) {
        if (!inShard.dirty) {
            inShard.dirty = true;
            dirty.add(inShard);
        }
    }

    /** Schedules the publication of an entity's counters after the commit. */
    public void show(EntityInShard inShard) {
        if (!inShard.changed) {
            inShard.changed = true;
            changed.add(inShard);
        }
    }

    /** Writes the rows that accompany every batch. Returns whether there are any. */
    public boolean writeTotals(StoreRowWriter writer) {
        for (EntityInShard inShard : dirty) {
            if (inShard instanceof TopicInShard topic) {
                topic.bodies.flush();
            }
            writer.putFragment(inShard.state.id(), inShard.state.row(writer));
        }
        return !dirty.isEmpty();
    }

    /** Writes the changed sessions now. The other scheduled rows follow with the batch. */
    public void writeSessions(StoreRowWriter writer) {
        for (EntityInShard inShard : dirty) {
            inShard.state.writeSessions(writer);
        }
    }

    /** Handles a successful commit: all scheduled rows are stored. */
    public void committed() {
        for (EntityInShard inShard : dirty) {
            inShard.dirty = false;
            inShard.committed();
        }
        dirty.clear();
    }

    /** Publishes the changed counters after a commit. */
    public void publishChanged() {
        for (EntityInShard inShard : changed) {
            inShard.changed = false;
            publish(inShard);
        }
        changed.clear();
    }

    /** Publishes the current counters of an entity. */
    public void publish(EntityInShard inShard) {
        inShard.publish();
        if (!inShard.headless && inShard.state.oldestIsInStore()) {
            inShard.headless = true;
            headless.addLast(inShard);
        }
    }

    /** Looks up the age of the oldest message of a few queues. Returns whether there were any. */
    public boolean findHeads(StoreRowReader reader, int max) {
        boolean found = false;
        for (int i = 0; i < max && !headless.isEmpty(); i++) {
            EntityInShard inShard = headless.pollFirst();
            inShard.headless = false;
            if (entitiesInShard.isCurrent(inShard)) {
                inShard.state.findOldest(reader);
                show(inShard);
                found = true;
            }
        }
        return found;
    }

    // --- with the turns ---

    /** Schedules deliveries of an entity's messages, once, behind the entities already scheduled. */
    void deliver(EntityInShard inShard) {
        if (!inShard.ready) {
            inShard.ready = true;
            ready.addLast(inShard);
        }
    }

    /** Returns the number of entities scheduled for deliveries. */
    public int readyCount() {
        return ready.size();
    }

    /** Removes and returns the next entity scheduled for deliveries, or null. It may be deleted already. */
    public @Nullable EntityInShard pollReady() {
        EntityInShard inShard = ready.pollFirst();
        if (inShard != null) {
            inShard.ready = false;
        }
        return inShard;
    }

    /** Returns the timers of the entities. */
    public EntityTimers timers() {
        return timers;
    }

    // --- the end ---

    /** Drops the pending work for a deleted entity. */
    public void forget(EntityInShard inShard) {
        if (inShard.dirty) {
            inShard.dirty = false;
            dirty.remove(inShard);
        }
        timers.disarm(inShard);
    }

    /** Drops all pending work before the store is reloaded. */
    public void clear() {
        dirty.forEach(inShard -> inShard.dirty = false);
        dirty.clear();
        changed.clear();
        ready.clear();
        headless.clear();
        timers.clear();
    }
}
