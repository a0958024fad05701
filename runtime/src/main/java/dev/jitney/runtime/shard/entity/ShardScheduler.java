package dev.jitney.runtime.shard.entity;

import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The work that is left to do about entities of a shard: writing their rows with the next batch, showing their counters
 * after it, handing out their messages, looking at them when their time has come, finding out how old their messages are.
 * For the shard's thread.
 */
public final class ShardScheduler {
    private final EntitiesInShard entitiesInShard;

    /** Those whose rows are due with the next batch. */
    private final List<EntityInShard> dirty = new ArrayList<>();

    /** Those whose counters have to be shown anew. */
    private final List<EntityInShard> changed = new ArrayList<>();

    private final ArrayDeque<EntityInShard> ready = new ArrayDeque<>();

    /** Those of whose waiting messages none is in memory, so that it is not known how old the oldest is. */
    private final ArrayDeque<EntityInShard> headless = new ArrayDeque<>();

    private final EntityTimers timers = new EntityTimers();

    public ShardScheduler(EntitiesInShard entitiesInShard) {
        this.entitiesInShard = entitiesInShard;
    }

    // --- with the commit ---

    /** Has its rows written that are due with every batch. */
    public void write(EntityInShard inShard) {
        if (!inShard.dirty) {
            inShard.dirty = true;
            dirty.add(inShard);
        }
    }

    /** Has its counters shown after the commit. */
    public void show(EntityInShard inShard) {
        if (!inShard.changed) {
            inShard.changed = true;
            changed.add(inShard);
        }
    }

    /** Writes the rows that are due with every batch; returns whether there are any. */
    public boolean writeTotals(StoreRowWriter writer) {
        for (EntityInShard inShard : dirty) {
            if (inShard instanceof TopicInShard topic) {
                topic.bodies.flush();
            }
            writer.putFragment(inShard.state.id(), inShard.state.row(writer));
        }
        return !dirty.isEmpty();
    }

    /** Writes of the rows that are due with every batch those about sessions; the totals follow with the batch. */
    public void writeSessions(StoreRowWriter writer) {
        for (EntityInShard inShard : dirty) {
            inShard.state.writeSessions(writer);
        }
    }

    /** The commit has succeeded: what was written is in the store. */
    public void committed() {
        for (EntityInShard inShard : dirty) {
            inShard.dirty = false;
            inShard.committed();
        }
        dirty.clear();
    }

    /** Shows the world what was changed before the commit. */
    public void publishChanged() {
        for (EntityInShard inShard : changed) {
            inShard.changed = false;
            publish(inShard);
        }
        changed.clear();
    }

    /** Shows the world the counters of an entity as they are now. */
    public void publish(EntityInShard inShard) {
        inShard.publish();
        if (!inShard.headless && inShard.state.oldestIsInStore()) {
            inShard.headless = true;
            headless.addLast(inShard);
        }
    }

    /** Learns how old the waiting messages of some queues are; returns whether there were some to ask. */
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

    /** Has its messages handed out, once, after those of the others that wait for that. */
    void deliver(EntityInShard inShard) {
        if (!inShard.ready) {
            inShard.ready = true;
            ready.addLast(inShard);
        }
    }

    /** How many wait for their messages to be handed out. */
    public int readyCount() {
        return ready.size();
    }

    /** Takes out the one whose messages are to be handed out next, which may have gone; null if there is none. */
    public @Nullable EntityInShard pollReady() {
        EntityInShard inShard = ready.pollFirst();
        if (inShard != null) {
            inShard.ready = false;
        }
        return inShard;
    }

    /** When which entities want their timers looked at. */
    public EntityTimers timers() {
        return timers;
    }

    // --- the end ---

    /** An entity goes: its rows and timers with it. */
    public void forget(EntityInShard inShard) {
        if (inShard.dirty) {
            inShard.dirty = false;
            dirty.remove(inShard);
        }
        timers.disarm(inShard);
    }

    /** Forgets everything, before the store is read anew. */
    public void clear() {
        dirty.forEach(inShard -> inShard.dirty = false);
        dirty.clear();
        changed.clear();
        ready.clear();
        headless.clear();
        timers.clear();
    }
}
