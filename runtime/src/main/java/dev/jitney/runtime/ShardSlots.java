package dev.jitney.runtime;

import dev.jitney.core.FragmentId;
import dev.jitney.core.LockTokenSequence;
import dev.jitney.core.queue.state.BodyOwner;
import dev.jitney.core.queue.state.MemoryBudget;
import dev.jitney.core.queue.state.QueueState;
import dev.jitney.model.Rule;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The entities of a shard with their state in memory, subscriptions tied to their topics. For the shard's thread. */
final class ShardSlots {
    private static final int TRIMMED_WINDOW = 64;

    private final StoreRowWriter writer;
    private final StoreRowReader reader;
    private final MemoryBudget budget;
    private final TurnSteps steps;
    private final Map<Long, EntitySlot> slots = new HashMap<>();

    /** Makes what newid() gives; not the sequence of lock tokens, which must not be guessed from it. */
    private final LockTokenSequence ids;

    private boolean hasRoom = true;

    /** @param steps hears what rules cost */
    ShardSlots(StoreRowWriter writer, StoreRowReader reader, MemoryBudget budget, Random random, TurnSteps steps) {
        this.steps = steps;
        this.writer = writer;
        this.reader = reader;
        this.budget = budget;
        this.ids = new LockTokenSequence(random.nextLong(), random.nextLong());
    }

    @Nullable
    EntitySlot get(long entityId) {
        return slots.get(entityId);
    }

    /** All that are there. */
    Collection<EntitySlot> all() {
        return slots.values();
    }

    /** The slot of a topic that is there, or null. */
    @Nullable
    TopicSlot topic(long entityId) {
        return slots.get(entityId) instanceof TopicSlot topic ? topic : null;
    }

    /** Whether it still is the slot of its entity. */
    boolean isCurrent(EntitySlot slot) {
        return slots.get(slot.entity.id()) == slot;
    }

    /** Adds a new entity, which has no messages yet. */
    EntitySlot create(ServedEntity entity) {
        EntitySlot slot = newSlot(entity);
        slots.put(entity.id(), slot);
        if (slot.topic != null) {
            slot.topic.listen(slot);
        }
        return slot;
    }

    /** Adds an entity with what the store has of it; a subscription after its topic. */
    EntitySlot open(ServedEntity entity, long nowMs) {
        EntitySlot slot = create(entity);
        slot.state.load(reader.fragment(slot.state.id()), reader);
        slot.accessWritten();
        slot.loadDuplicates(reader, nowMs);
        if (slot.topic != null && entity instanceof ServedSubscription subscription) {
            slot.topic.count(slot.state.sizeBytes());
            for (Rule rule : subscription.latestRules()) {
                slot.topic.putRule(entity.id(), rule.description());
            }
        }
        return slot;
    }

    private EntitySlot newSlot(ServedEntity entity) {
        if (entity instanceof ServedSubscription subscription) {
            TopicSlot topic = topic(subscription.topic().id());
            if (topic == null) {
                throw new IllegalStateException("Expected the topic of subscription '" + entity.path() + "'.");
            }
            return new EntitySlot(entity, newState(entity, topic.bodies), writer, topic);
        }
        QueueState state = newState(entity, BodyOwner.NONE);
        if (entity instanceof ServedTopic served) {
            TopicSlot topic = new TopicSlot(served, state, writer, reader, ids::next, steps);
            topic.hasRoom(hasRoom);
            return topic;
        }
        return new EntitySlot(entity, state, writer, null);
    }

    private QueueState newState(ServedEntity entity, BodyOwner bodies) {
        NamespaceOptions namespace = entity.namespaceOptions();
        return new QueueState(
                new FragmentId(entity.id(), entity.fragment()),
                entity.asQueue(),
                namespace.limits(),
                namespace.expiryEnforcement(),
                budget,
                bodies,
                reader);
    }

    /** Takes out an entity that goes, with its memory. */
    @Nullable
    EntitySlot remove(ServedEntity entity) {
        EntitySlot slot = slots.remove(entity.id());
        if (slot != null) {
            if (slot.topic != null) {
                slot.topic.forget(slot);
            }
            slot.state.discard();
        }
        return slot;
    }

    /** Takes out all of them. */
    void clear() {
        slots.values().forEach(slot -> slot.state.discard());
        slots.clear();
    }

    /**
     * Tells topics whether the disk has room for what publishing adds.
     *
     * @return those whose timers may have something to do now
     */
    List<EntitySlot> hasRoom(boolean room) {
        hasRoom = room;
        List<EntitySlot> topics = new ArrayList<>();
        for (EntitySlot slot : slots.values()) {
            if (slot instanceof TopicSlot topic) {
                topic.hasRoom(room);
                topics.add(topic);
            }
        }
        return topics;
    }

    /** Trims the entities nobody has used for longest until a half of the budget is free. */
    void giveBackMemory(BrokerOptions options) {
        List<EntitySlot> byAge = new ArrayList<>(slots.values());
        byAge.sort(Comparator.comparingLong(slot -> slot.lastUsedMs));
        for (EntitySlot slot : byAge) {
            slot.state.trim(TRIMMED_WINDOW);
            if (budget.contentBytes() < options.cacheBytesMax() / 2
                    && budget.entries() < options.cachedMessagesMax() / 2) {
                return;
            }
        }
    }
}
