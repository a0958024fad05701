package dev.jitney.runtime.namespace;

import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.Limits;
import dev.jitney.model.Partitioning;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.rows.MadeNamespaceRow;
import dev.jitney.runtime.rows.NamespaceRow;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The entities of one namespace by name, and the state that they share: settings, access rules, meter and throttling
 * credits. Any thread may call it; only the shards' threads change it.
 */
public final class EntityDirectory {
    private final NamespaceOptions options;
    private final Clock clock;
    private final Throttle throttle;
    private final OperationMeter meter;
    private final AccessRuleIndex accessRules = new AccessRuleIndex();

    /** Queues and topics by the comparison form of their names, committed or not; sorted, because lists are. */
    private final ConcurrentNavigableMap<String, ServedEntity> entities = new ConcurrentSkipListMap<>();

    /** The row of a namespace created at run time; null for a configured namespace. */
    private volatile @Nullable MadeNamespaceRow made;

    /** True once the namespace is no longer served. */
    private volatile boolean gone;

    private volatile boolean configurationKnown;

    private volatile NamespaceRow row = new NamespaceRow(0, 0, "", List.of());

    /**
     * @param clock   the time of messages
     * @param seconds the time for throttling
     */
    EntityDirectory(NamespaceOptions options, Clock clock, Clock seconds) {
        this.options = options;
        this.clock = clock;
        this.throttle = Throttle.of(options, seconds);
        this.meter = new OperationMeter(clock.nowMs());
    }

    // --- the namespace ---

    NamespaceOptions options() {
        return options;
    }

    String name() {
        return options.name();
    }

    Limits limits() {
        return options.limits();
    }

    Partitioning partitioning() {
        return options.partitioning();
    }

    /** Returns the broker's time in milliseconds since the epoch. */
    public long nowMs() {
        return clock.nowMs();
    }

    /** Returns the throttling credits that requests to its entities take. */
    Throttle throttle() {
        return throttle;
    }

    /** Returns the meter of all its entities, deleted ones included, and of calls to the namespace. */
    OperationMeter meter() {
        return meter;
    }

    /** Counts a call that moves no message, for the namespace and for the entity concerned, if any. */
    void countCall(@Nullable Entity entity) {
        meter.countCall();
        if (entity instanceof ServedEntity served) {
            served.meter().countCall();
        }
    }

    /** Marks the namespace as created at run time. */
    void made(MadeNamespaceRow as) {
        made = as;
    }

    /** Returns the row of a namespace created at run time; null for a configured namespace. */
    @Nullable
    MadeNamespaceRow made() {
        return made;
    }

    /** Marks the namespace as no longer served; no entities are created in it from now on. */
    void leave() {
        gone = true;
    }

    /** Returns whether the namespace is no longer served. */
    boolean isGone() {
        return gone;
    }

    /** Sets whether a cluster has applied the configuration of the namespace before. */
    void configurationKnown(boolean known) {
        configurationKnown = known;
    }

    boolean isConfigurationKnown() {
        return configurationKnown;
    }

    /** Applies the stored row of the namespace itself. */
    void settle(NamespaceRow stored) {
        boolean sameRules = row.accessRules().equals(stored.accessRules());
        row = stored;
        if (!sameRules) {
            accessRules.namespaceChanged();
        }
    }

    NamespaceRow row() {
        return row;
    }

    /** Returns the index of the access rules of its entities. */
    AccessRuleIndex accessRules() {
        return accessRules;
    }

    // --- its entities ---

    /** Replaces the indexed rules of an entity; empty if the entity is deleted. */
    void settleRules(ServedEntity entity, List<AccessRule> rules) {
        accessRules.entityChanged(entity, rules);
    }

    /** Reserves the name of an entity. */
    void list(ServedEntity entity) {
        if (entity instanceof ServedSubscription subscription) {
            subscription.topic().list(subscription);
        } else {
            entities.put(EntityAddress.keyOf(entity.path()), entity);
        }
    }

    /** Releases the name of an entity. */
    void unlist(ServedEntity entity) {
        if (entity instanceof ServedSubscription subscription) {
            subscription.topic().unlist(subscription);
        } else {
            entities.remove(EntityAddress.keyOf(entity.path()), entity);
        }
    }

    /** Returns the queue or topic of that name, committed or not. */
    @Nullable
    ServedEntity named(String path) {
        return entities.get(EntityAddress.keyOf(path));
    }

    /** Returns the queue, topic or subscription of that path if its creation is committed, or null. */
    @Nullable
    ServedEntity find(String path) {
        ServedEntity found = named(path);
        if (found == null && path.indexOf('/') > 0) {
            EntityAddress address = EntityAddress.parse("/" + path);
            if (address.topic() != null
                    && address.subscription() != null
                    && named(address.topic()) instanceof ServedTopic topic) {
                found = topic.subscription(address.subscription());
            }
        }
        return found != null && found.isKnown() ? found : null;
    }

    /** Returns the number of reserved names. */
    int size() {
        return entities.size();
    }

    /** Returns queues and topics, including those that are being created. */
    List<ServedEntity> listed() {
        return List.copyOf(entities.values());
    }

    /** Returns queues and topics whose creation is committed, ordered by name. */
    List<Entity> known() {
        return known(entities.values().stream());
    }

    /** Returns the committed queues and topics whose paths begin with a prefix. */
    List<Entity> knownUnder(String prefix) {
        String key = EntityAddress.keyOf(prefix);
        return known(entities.tailMap(key).entrySet().stream()
                .takeWhile(entry -> entry.getKey().startsWith(key))
                .map(Map.Entry::getValue));
    }

    private static List<Entity> known(Stream<ServedEntity> entities) {
        return entities.filter(ServedEntity::isKnown).map(Entity.class::cast).toList();
    }
}
