package dev.jitney.runtime.shard.entity;

import dev.jitney.core.FragmentId;
import dev.jitney.core.LockTokenSequence;
import dev.jitney.core.queue.state.BodyOwner;
import dev.jitney.core.queue.state.MemoryBudget;
import dev.jitney.core.queue.state.QueueState;
import dev.jitney.model.rule.Rule;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import dev.jitney.runtime.shard.turn.TurnSteps;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The entities of a shard with their state in memory. Subscriptions are linked to their topics. For the shard's thread.
 */
public final class EntitiesInShard {
    private static final int TRIMMED_WINDOW = 64;

    /** The time without use after which an entity is idle. */
    private static final long IDLE_MS = 1_000;

    private final StoreRowWriter writer;
    private final StoreRowReader reader;
    private final MemoryBudget budget;
    private final TurnSteps steps;
    private final Map<Long, EntityInShard> entitiesInShard = new HashMap<>();

    /**
     * The source of values for newid() in rules. It is separate from the lock tokens, which must not be guessable from
     * it.
     */
    private final LockTokenSequence ids;

    private boolean hasCapacity = true;

    /** @param steps counts the steps of rules */
    public EntitiesInShard(
            StoreRowWriter writer, StoreRowReader reader, MemoryBudget budget, Random random, TurnSteps steps) {
        this.steps = steps;
        this.writer = writer;
        this.reader = reader;
        this.budget = budget;
        this.ids = new LockTokenSequence(random.nextLong(), random.nextLong());
    }

    public @Nullable EntityInShard get(long entityId) {
        return entitiesInShard.get(entityId);
    }

    /** Returns all entities. */
    public Collection<EntityInShard> all() {
        return entitiesInShard.values();
    }

    /** Returns the state of a topic, or null if it is not loaded. */
    public @Nullable TopicInShard topic(long entityId) {
        return entitiesInShard.get(entityId) instanceof TopicInShard topic ? topic : null;
    }

    /** Returns whether an object is still the current state of its entity. */
    public boolean isCurrent(EntityInShard inShard) {
        return entitiesInShard.get(inShard.entity.id()) == inShard;
    }

    /** Adds a new entity, which has no messages yet. */
    public EntityInShard create(HostedEntity entity) {
        EntityInShard inShard = newSlot(entity);
        entitiesInShard.put(entity.id(), inShard);
        if (inShard.topic != null) {
            inShard.topic.listen(inShard);
        }
        return inShard;
    }

    /** Adds an entity with its stored state. A subscription follows its topic. */
    public EntityInShard open(HostedEntity entity, long nowMs) {
        EntityInShard inShard = create(entity);
        inShard.state.load(reader.fragment(inShard.state.id()), reader);
        inShard.accessWritten();
        inShard.loadDuplicates(reader, nowMs);
        if (inShard.topic != null && entity instanceof HostedSubscription subscription) {
            inShard.topic.count(inShard.state.sizeBytes());
            for (Rule rule : subscription.latestRules()) {
                inShard.topic.putRule(entity.id(), rule.description());
            }
        }
        return inShard;
    }

    private EntityInShard newSlot(HostedEntity entity) {
        if (entity instanceof HostedSubscription subscription) {
            TopicInShard topic = topic(subscription.topic().id());
            if (topic == null) {
                throw new IllegalStateException(
                        "Expected the topic of subscription '" + entity.path() + "' in this shard.");
            }
            return new EntityInShard(entity, newState(entity, topic.bodies), writer, topic);
        }
        QueueState state = newState(entity, BodyOwner.NONE);
        if (entity instanceof HostedTopic) {
            TopicInShard topic = new TopicInShard(entity, state, writer, reader, ids::next, steps);
            topic.hasCapacity(hasCapacity);
            return topic;
        }
        return new EntityInShard(entity, state, writer, null);
    }

    private QueueState newState(HostedEntity entity, BodyOwner bodies) {
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

    /** Removes an entity and frees its memory. */
    public @Nullable EntityInShard remove(HostedEntity entity) {
        EntityInShard inShard = entitiesInShard.remove(entity.id());
        if (inShard != null) {
            if (inShard.topic != null) {
                inShard.topic.forget(inShard);
            }
            inShard.state.discard();
        }
        return inShard;
    }

    /** Removes all entities. */
    public void clear() {
        entitiesInShard.values().forEach(inShard -> inShard.state.discard());
        entitiesInShard.clear();
    }

    /**
     * Sets whether the disk has room for published messages.
     *
     * @return the topics, whose timers may have work now
     */
    public List<EntityInShard> hasCapacity(boolean room) {
        hasCapacity = room;
        List<EntityInShard> topics = new ArrayList<>();
        for (EntityInShard inShard : entitiesInShard.values()) {
            if (inShard instanceof TopicInShard topic) {
                topic.hasCapacity(room);
                topics.add(topic);
            }
        }
        return topics;
    }

    /**
     * Releases memory until half of the budget is free: idle entities give back nearly everything, the least recently used ones first.
     * If that is not enough, entities in use give back half of their content, which they would have to read again otherwise; and if that is not
     * enough either, nearly everything.
     */
    public void giveBackMemory(BrokerOptions options, long nowMs) {
        List<EntityInShard> byAge = new ArrayList<>(entitiesInShard.values());
        byAge.sort(Comparator.comparingLong(inShard -> inShard.lastUsedMs));
        int idle = 0;
        while (idle < byAge.size() && nowMs - byAge.get(idle).lastUsedMs > IDLE_MS) {
            idle++;
        }
        List<EntityInShard> used = byAge.subList(idle, byAge.size());
        if (!release(options, byAge.subList(0, idle), state -> state.trim(TRIMMED_WINDOW))
                && !release(options, used, QueueState::halve)) {
            release(options, used, state -> state.trim(TRIMMED_WINDOW));
        }
    }

    /** Lets entities release memory, and returns whether half of the budget is free. */
    private boolean release(BrokerOptions options, List<EntityInShard> entities, Consumer<QueueState> way) {
        for (EntityInShard inShard : entities) {
            way.accept(inShard.state);
            if (budget.contentBytes() < options.cacheBytesMax() / 2
                    && budget.entries() < options.cachedMessagesMax() / 2) {
                return true;
            }
        }
        return false;
    }
}
