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
 * The entities of one namespace by their names, and what they share: settings, access rules, meter and throttling credits. Any
 * thread may call it; the shards' threads change it.
 */
public final class EntityDirectory {
    private final NamespaceOptions options;
    private final Clock clock;
    private final Throttle throttle;
    private final OperationMeter meter;
    private final AccessRuleIndex accessRules = new AccessRuleIndex();

    /** Queues and topics by comparison form of their names, committed or not; in order, because lists are. */
    private final ConcurrentNavigableMap<String, ServedEntity> entities = new ConcurrentSkipListMap<>();

    /** Null for one of the configuration. */
    private volatile @Nullable MadeNamespaceRow made;

    /** Whether it is served no more. */
    private volatile boolean gone;

    private volatile NamespaceRow row = new NamespaceRow(0, 0, "", List.of());

    EntityDirectory(NamespaceOptions options, Clock clock) {
        this.options = options;
        this.clock = clock;
        this.throttle = Throttle.of(options, clock);
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

    /** The broker's time, milliseconds since the epoch. */
    public long nowMs() {
        return clock.nowMs();
    }

    /** The throttling credits that messages of its entities take. */
    Throttle throttle() {
        return throttle;
    }

    /** Operations and bytes of all its entities, deleted ones included, and calls to itself. */
    OperationMeter meter() {
        return meter;
    }

    /** Counts a call that moves no message, of the namespace and of the entity that it was about, if there is one. */
    void countCall(@Nullable Entity entity) {
        meter.countCall();
        if (entity instanceof ServedEntity served) {
            served.meter().countCall();
        }
    }

    /** It was made at run time. */
    void made(MadeNamespaceRow as) {
        made = as;
    }

    /** How it was made; null for one of the configuration. */
    @Nullable
    MadeNamespaceRow made() {
        return made;
    }

    /** It is served no more; nothing is created in it from now on. */
    void leave() {
        gone = true;
    }

    /** Whether it is served no more. */
    boolean isGone() {
        return gone;
    }

    /** The store has this about the namespace itself. */
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

    /** The rules of its entities. */
    AccessRuleIndex accessRules() {
        return accessRules;
    }

    // --- its entities ---

    /** An entity has these rules of its own now; none if it is deleted. */
    void settleRules(ServedEntity entity, List<AccessRule> rules) {
        accessRules.entityChanged(entity, rules);
    }

    /** Takes a name. */
    void list(ServedEntity entity) {
        if (entity instanceof ServedSubscription subscription) {
            subscription.topic().list(subscription);
        } else {
            entities.put(EntityAddress.keyOf(entity.path()), entity);
        }
    }

    /** Gives a name back. */
    void unlist(ServedEntity entity) {
        if (entity instanceof ServedSubscription subscription) {
            subscription.topic().unlist(subscription);
        } else {
            entities.remove(EntityAddress.keyOf(entity.path()), entity);
        }
    }

    /** The queue or topic of that name, committed or not. */
    @Nullable
    ServedEntity named(String path) {
        return entities.get(EntityAddress.keyOf(path));
    }

    /** The queue, topic or subscription of that path, if its creation is committed; or null. */
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

    /** How many names are taken. */
    int size() {
        return entities.size();
    }

    /** Queues and topics, those in the making included. */
    List<ServedEntity> listed() {
        return List.copyOf(entities.values());
    }

    /** Queues and topics whose creation is committed, in the order of their names. */
    List<Entity> known() {
        return known(entities.values().stream());
    }

    /** Those of them whose paths begin with a text. */
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
