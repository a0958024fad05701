package dev.jitney.runtime;

import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is still to be done about which entities of a shard: writing their rows with the next batch, showing their counters
 * after it, handing out their messages, looking at them when their time has come, finding out how old their messages are.
 * For the shard's thread.
 */
final class Agenda {
    private final ShardSlots slots;

    /** Those whose rows are due with the next batch. */
    private final List<EntitySlot> dirty = new ArrayList<>();

    /** Those whose counters have to be shown anew. */
    private final List<EntitySlot> changed = new ArrayList<>();

    private final ArrayDeque<EntitySlot> ready = new ArrayDeque<>();

    /** Those of whose waiting messages none is in memory, so that it is not known how old the oldest is. */
    private final ArrayDeque<EntitySlot> headless = new ArrayDeque<>();

    private final Alarms alarms = new Alarms();

    Agenda(ShardSlots slots) {
        this.slots = slots;
    }

    // --- with the commit ---

    /** Has its rows written that are due with every batch. */
    void write(EntitySlot slot) {
        if (!slot.dirty) {
            slot.dirty = true;
            dirty.add(slot);
        }
    }

    /** Has its counters shown after the commit. */
    void show(EntitySlot slot) {
        if (!slot.changed) {
            slot.changed = true;
            changed.add(slot);
        }
    }

    /** Writes the rows that are due with every batch; returns whether there are any. */
    boolean writeTotals(StoreRowWriter writer) {
        for (EntitySlot slot : dirty) {
            if (slot instanceof TopicSlot topic) {
                topic.bodies.flush();
            }
            writer.putFragment(slot.state.id(), slot.state.row(writer));
        }
        return !dirty.isEmpty();
    }

    /** The commit has succeeded: what was written is in the store. */
    void committed() {
        for (EntitySlot slot : dirty) {
            slot.dirty = false;
            slot.committed();
        }
        dirty.clear();
    }

    /** Shows the world what was changed before the commit. */
    void publishChanged() {
        for (EntitySlot slot : changed) {
            slot.changed = false;
            publish(slot);
        }
        changed.clear();
    }

    /** Shows the world the counters of an entity as they are now. */
    void publish(EntitySlot slot) {
        slot.publish();
        if (!slot.headless && slot.state.oldestIsInStore()) {
            slot.headless = true;
            headless.addLast(slot);
        }
    }

    /** Learns how old the waiting messages of some queues are; returns whether there were some to ask. */
    boolean findHeads(StoreRowReader reader, int max) {
        boolean found = false;
        for (int i = 0; i < max && !headless.isEmpty(); i++) {
            EntitySlot slot = headless.pollFirst();
            slot.headless = false;
            if (slots.isCurrent(slot)) {
                slot.state.findOldest(reader);
                show(slot);
                found = true;
            }
        }
        return found;
    }

    // --- with the turns ---

    /** Has its messages handed out, once, after those of the others that wait for that. */
    void deliver(EntitySlot slot) {
        if (!slot.ready) {
            slot.ready = true;
            ready.addLast(slot);
        }
    }

    /** How many wait for their messages to be handed out. */
    int readyCount() {
        return ready.size();
    }

    /** Takes out the one whose messages are to be handed out next, which may have gone; null if there is none. */
    @Nullable
    EntitySlot pollReady() {
        EntitySlot slot = ready.pollFirst();
        if (slot != null) {
            slot.ready = false;
        }
        return slot;
    }

    /** When which entities want their timers looked at. */
    Alarms alarms() {
        return alarms;
    }

    // --- the end ---

    /** An entity goes: its rows and alarms with it. */
    void forget(EntitySlot slot) {
        if (slot.dirty) {
            slot.dirty = false;
            dirty.remove(slot);
        }
        alarms.disarm(slot);
    }

    /** Forgets everything, before the store is read anew. */
    void clear() {
        dirty.forEach(slot -> slot.dirty = false);
        dirty.clear();
        changed.clear();
        ready.clear();
        headless.clear();
        alarms.clear();
    }
}
