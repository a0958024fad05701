package dev.jitney.runtime.shard.entity;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.LogKeys;
import dev.jitney.runtime.rows.StoreFault;
import dev.jitney.runtime.store.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entities of a shard that are out of service because the store found one of their rows corrupt (docs/adr/0020).
 * They have no state in memory, so the row is not read again and other entities are not affected. All requests for them
 * are refused with a retryable error. A topic is out of service together with its subscriptions, because a published
 * message must reach all of them.
 *
 * <p>They are served again after the store is stopped and started, or the process restarts, until the row is read
 * again.
 *
 * <p>For the shard's thread, except {@link #summary} and {@link #count}.
 */
public final class DamagedEntities {
    private static final Logger LOG = LoggerFactory.getLogger(DamagedEntities.class);
    private static final int NAMED_MAX = 10;

    private final int shardIndex;

    /** The damaged entities by the number of the queue, topic or fragment. */
    private final Map<Long, Damage> all = new LinkedHashMap<>();

    /** Corrupt rows found before their entities were loaded, by the number of the entity. */
    private final Map<Long, StoreFault> expected = new HashMap<>();

    private volatile @Nullable String summary;
    private volatile int count;

    private record Damage(HostedEntity entity, String sentence) {}

    /** @param shardIndex the position of the store among the stores, from 0 */
    public DamagedEntities(int shardIndex) {
        this.shardIndex = shardIndex;
    }

    /** Returns the message of a fault as a sentence. */
    public static String sentence(Exception fault) {
        String text = String.valueOf(fault.getMessage());
        return text.endsWith(".") ? text : text + ".";
    }

    /** Returns whether a fault is permanent corruption in the rows of one entity. */
    public static boolean isDamage(StoreFault fault) {
        return fault.entityId() != null && fault.fault().reason() == StoreException.Reason.CORRUPT;
    }

    /**
     * Returns the entity that goes out of service as a whole: the topic of a subscription, otherwise the entity itself.
     */
    public static HostedEntity unit(HostedEntity entity) {
        return entity instanceof HostedSubscription subscription ? subscription.topic() : entity;
    }

    /** Returns whether the entity is out of service. */
    public boolean contains(HostedEntity entity) {
        return all.containsKey(unit(entity).id());
    }

    /** Returns the refusal for all requests to an entity, or null if it is in service or does not exist. */
    public @Nullable Rejection refusal(@Nullable HostedEntity entity) {
        return entity != null && contains(entity)
                ? new Rejection(
                        ErrorCode.SERVER_BUSY,
                        "'" + entity.path() + "' is out of service because messaging store " + shardIndex
                                + " contains corrupt data of it. Ask the operator of the server for help.")
                : null;
    }

    /** Notes a corrupt row of an entity that is not loaded yet. */
    public void expect(StoreFault fault) {
        Long id = fault.entityId();
        if (id != null) {
            expected.put(id, fault);
        }
    }

    /** Returns and removes the fault noted for an entity before it was loaded, or null. */
    public @Nullable StoreFault takeExpected(HostedEntity entity) {
        return expected.isEmpty() ? null : expected.remove(entity.id());
    }

    /** Takes an entity out of service, and a topic with its subscriptions. */
    public void add(HostedEntity entity, StoreException why) {
        if (all.containsKey(entity.id())) {
            return;
        }
        EntityDescription description = entity.latest().description();
        String what = description.kind().word() + " '" + description.path() + "' of namespace '"
                + entity.namespaceOptions().name() + "'"
                + (!entity.isFragment() ? "" : " (partition " + entity.fragment() + ")");
        all.put(entity.id(), new Damage(entity, what + " is out of service: " + sentence(why)));
        mark(entity, true);
        summarize();
        LOG.atError()
                .setCause(why)
                .addKeyValue(LogKeys.SHARD, shardIndex)
                .addKeyValue(LogKeys.NAMESPACE, entity.namespaceOptions().name())
                .addKeyValue(LogKeys.ENTITY, description.path())
                .log(
                        "{} is out of service. Other entities of messaging store {} still work. Restore the store from a"
                                + " backup, or delete the {}.",
                        what,
                        shardIndex,
                        description.kind().word().toLowerCase(Locale.ROOT));
    }

    /** Removes a deleted entity. */
    public void forget(HostedEntity entity) {
        if (all.remove(entity.id()) != null) {
            summarize();
        }
    }

    /** Puts all entities back into service before the store is reloaded. */
    public void clear() {
        all.values().forEach(damage -> mark(damage.entity, false));
        all.clear();
        expected.clear();
        summarize();
    }

    private static void mark(HostedEntity entity, boolean damaged) {
        entity.setDamaged(damaged);
        if (entity instanceof HostedTopic topic) {
            topic.allSubscriptions().forEach(subscription -> subscription.setDamaged(damaged));
        }
    }

    private void summarize() {
        List<String> sentences = new ArrayList<>();
        for (Damage damage : all.values()) {
            if (sentences.size() == NAMED_MAX) {
                sentences.add((all.size() - NAMED_MAX) + " more entities of messaging store " + shardIndex
                        + " are out of service.");
                break;
            }
            sentences.add(damage.sentence);
        }
        count = all.size();
        summary = sentences.isEmpty() ? null : String.join(" ", sentences);
    }

    /** Returns the number of queues, topics and fragments that are out of service. Any thread may call it. */
    public int count() {
        return count;
    }

    /**
     * Returns one sentence for each entity that is out of service, with the reason, or null. Any thread may call it.
     */
    public @Nullable String summary() {
        return summary;
    }
}
