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
 * The entities of a shard that are out of service, because the store has found a row of theirs damaged (docs/adr/0020). They
 * have no state in memory, so that nobody reads the row again and the others go on; all that is asked of them is refused with
 * a retryable error. A topic is out of service together with its subscriptions: what is published must not miss one of them.
 *
 * <p>They come back when the store was stopped and is started, and when the process starts anew: until the row is read again.
 *
 * <p>For the shard's thread, but for {@link #summary} and {@link #count}.
 */
public final class DamagedEntities {
    private static final Logger LOG = LoggerFactory.getLogger(DamagedEntities.class);
    private static final int NAMED_MAX = 10;

    private final int shardIndex;

    /** By the number of the queue or topic, or its fragment. */
    private final Map<Long, Damage> all = new LinkedHashMap<>();

    /** What was found before the entities were taken over from the store, by their numbers. */
    private final Map<Long, StoreFault> expected = new HashMap<>();

    private volatile @Nullable String summary;
    private volatile int count;

    private record Damage(HostedEntity entity, String sentence) {}

    /** @param shardIndex the place of the store among the stores, from 0 */
    public DamagedEntities(int shardIndex) {
        this.shardIndex = shardIndex;
    }

    /** The text of a fault as a sentence. */
    public static String sentence(Exception fault) {
        String text = String.valueOf(fault.getMessage());
        return text.endsWith(".") ? text : text + ".";
    }

    /** Whether a fault is about rows of one entity that will be the same whenever they are read. */
    public static boolean isDamage(StoreFault fault) {
        return fault.entityId() != null && fault.fault().reason() == StoreException.Reason.CORRUPT;
    }

    /** What goes out of service with an entity: the topic of a subscription, else itself. */
    public static HostedEntity unit(HostedEntity entity) {
        return entity instanceof HostedSubscription subscription ? subscription.topic() : entity;
    }

    /** Whether it is out of service. */
    public boolean contains(HostedEntity entity) {
        return all.containsKey(unit(entity).id());
    }

    /** Why all that is asked of an entity is refused; null if it is in service, or not there. */
    public @Nullable Rejection refusal(@Nullable HostedEntity entity) {
        return entity != null && contains(entity)
                ? new Rejection(
                        ErrorCode.SERVER_BUSY,
                        "'" + entity.path() + "' is out of service, because messaging store " + shardIndex
                                + " has found a part of it damaged. The operator of the server knows more.")
                : null;
    }

    /** A row of an entity is damaged, which is not there yet. */
    public void expect(StoreFault fault) {
        Long id = fault.entityId();
        if (id != null) {
            expected.put(id, fault);
        }
    }

    /** What was found out about an entity before; null if nothing was. */
    public @Nullable StoreFault takeExpected(HostedEntity entity) {
        return expected.isEmpty() ? null : expected.remove(entity.id());
    }

    /** An entity goes out of service, with its subscriptions if it is a topic. */
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
                        "{} is out of service, the others of messaging store {} go on. Restore the store from a backup,"
                                + " or delete the {}.",
                        what,
                        shardIndex,
                        description.kind().word().toLowerCase(Locale.ROOT));
    }

    /** It is deleted. */
    public void forget(HostedEntity entity) {
        if (all.remove(entity.id()) != null) {
            summarize();
        }
    }

    /** All are given another chance when the store is read anew. */
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
                sentences.add((all.size() - NAMED_MAX) + " more of messaging store " + shardIndex + " are.");
                break;
            }
            sentences.add(damage.sentence);
        }
        count = all.size();
        summary = sentences.isEmpty() ? null : String.join(" ", sentences);
    }

    /** How many queues and topics are out of service, or fragments of them. Any thread may ask. */
    public int count() {
        return count;
    }

    /** What is out of service and why, a sentence each; null if nothing is. Any thread may ask. */
    public @Nullable String summary() {
        return summary;
    }
}
