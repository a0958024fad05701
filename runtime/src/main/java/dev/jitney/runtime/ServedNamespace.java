package dev.jitney.runtime;

import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Limits;
import dev.jitney.model.Partitioning;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.RuleDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.rows.MadeNamespaceRow;
import dev.jitney.runtime.rows.NamespaceRow;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A namespace over the shards. Looking up an entity never leaves the caller's thread; changes go through
 * {@link EntityChanges}.
 */
final class ServedNamespace extends Namespace {
    private final NamespaceOptions options;
    private final Clock clock;
    private final Directory directory;
    private final Throttle messages;
    private final EntityChanges changes;
    private final boolean metered;

    /** What all views of one namespace share. */
    private static final class Directory {
        /** Queues and topics by comparison form of their names, committed or not; in order, because lists are. */
        final ConcurrentNavigableMap<String, ServedEntity> entities = new ConcurrentSkipListMap<>();

        final Meter meter;
        final AccessRuleIndex accessRules = new AccessRuleIndex();

        /** Null for one of the configuration. */
        volatile @Nullable MadeNamespaceRow made;

        /** Whether it is served no more. */
        volatile boolean gone;

        volatile NamespaceRow row = new NamespaceRow(0, 0, "", List.of());

        Directory(long nowMs) {
            meter = new Meter(nowMs);
        }
    }

    /** @param placement the shard for an entity's comparison key, the home shard of the namespace for the empty one */
    ServedNamespace(
            NamespaceOptions options, Function<String, Shard> placement, PartitionedChanges partitioned, Clock clock) {
        this.options = options;
        this.clock = clock;
        this.directory = new Directory(clock.nowMs());
        this.messages = Throttle.of(options, clock);
        this.changes = new EntityChanges(this, placement, partitioned, messages);
        this.metered = true;
    }

    /** Another view of the same entities. */
    private ServedNamespace(ServedNamespace served, Throttle management) {
        this.options = served.options;
        this.clock = served.clock;
        this.directory = served.directory;
        this.messages = served.messages;
        this.changes = served.changes.throttledBy(management);
        this.metered = false;
    }

    /** Takes over an entity the store knows, before the shard runs. */
    void adopt(Shard shard, ServedEntity entity) {
        list(entity);
        shard.work().lifecycle().adopt(entity);
    }

    /** Takes a name. */
    void list(ServedEntity entity) {
        if (entity instanceof ServedSubscription subscription) {
            subscription.topic().list(subscription);
        } else {
            directory.entities.put(EntityAddress.keyOf(entity.path()), entity);
        }
    }

    /** Gives a name back. */
    void unlist(ServedEntity entity) {
        if (entity instanceof ServedSubscription subscription) {
            subscription.topic().unlist(subscription);
        } else {
            directory.entities.remove(EntityAddress.keyOf(entity.path()), entity);
        }
    }

    /** The queue or topic of that name, committed or not. */
    @Nullable
    ServedEntity named(String path) {
        return directory.entities.get(EntityAddress.keyOf(path));
    }

    /** How many names are taken. */
    int size() {
        return directory.entities.size();
    }

    /** Queues and topics, those in the making included. */
    List<ServedEntity> listed() {
        return List.copyOf(directory.entities.values());
    }

    /** It was made at run time. */
    void made(MadeNamespaceRow row) {
        directory.made = row;
    }

    /** How it was made; null for one of the configuration. */
    @Nullable
    MadeNamespaceRow made() {
        return directory.made;
    }

    /** It is served no more; nothing is created in it from now on. */
    void leave() {
        directory.gone = true;
    }

    /** Deletes an entity of a namespace that leaves; fine if it has gone already. */
    CompletionStage<Void> drop(ServedEntity entity) {
        return changes.drop(entity);
    }

    @Override
    public boolean isConfigured() {
        return directory.made == null;
    }

    @Override
    public boolean isGone() {
        return directory.gone;
    }

    NamespaceOptions options() {
        return options;
    }

    /** The broker's time. */
    long nowMs() {
        return clock.nowMs();
    }

    /** What messages of its entities cost. */
    Throttle throttle() {
        return messages;
    }

    /** What the store has about the namespace itself. */
    void settle(NamespaceRow row) {
        boolean sameRules = directory.row.accessRules().equals(row.accessRules());
        directory.row = row;
        if (!sameRules) {
            directory.accessRules.namespaceChanged();
        }
    }

    /** An entity has these rules of its own now; none if it is deleted. */
    void settleRules(ServedEntity entity, List<AccessRule> rules) {
        directory.accessRules.entityChanged(entity, rules);
    }

    NamespaceRow row() {
        return directory.row;
    }

    @Override
    public Namespace unthrottled() {
        return new ServedNamespace(this, Throttle.off());
    }

    @Override
    public String name() {
        return options.name();
    }

    @Override
    public long createdAtMs() {
        return directory.row.createdAtMs();
    }

    @Override
    public long modifiedAtMs() {
        return directory.row.modifiedAtMs();
    }

    @Override
    public List<AccessRule> accessRules() {
        return directory.row.accessRules();
    }

    @Override
    public CompletionStage<Void> setAccessRules(List<AccessRule> rules) {
        return counted(changes.setAccessRules(rules), null);
    }

    @Override
    public long accessVersion() {
        return directory.accessRules.version();
    }

    @Override
    public boolean hasEntityRule(String ruleName, String key) {
        return directory.accessRules.contains(ruleName, key);
    }

    @Override
    public boolean hasRuleNamed(String ruleName) {
        return super.hasRuleNamed(ruleName) || directory.accessRules.containsName(ruleName);
    }

    @Override
    public Limits limits() {
        return options.limits();
    }

    @Override
    public Partitioning partitioning() {
        return options.partitioning();
    }

    @Override
    public Meter meter() {
        return directory.meter;
    }

    @Override
    public void countCall(@Nullable Entity entity) {
        if (metered) {
            directory.meter.countCall();
            if (entity != null) {
                entity.meter().countCall();
            }
        }
    }

    /** Counts a change once it is durable, before anybody hears of it; of what it made or removed only here. */
    private <T> CompletionStage<T> counted(CompletionStage<T> change, @Nullable Entity entity) {
        return change.thenApply(done -> {
            countCall(entity);
            return done;
        });
    }

    @Override
    public long throttledRequests() {
        return messages.refusals();
    }

    @Override
    public @Nullable Entity entity(String path) {
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

    @Override
    public List<Entity> entities() {
        return known(directory.entities.values().stream());
    }

    @Override
    public List<Entity> entitiesUnder(String prefix) {
        String key = EntityAddress.keyOf(prefix);
        return known(directory.entities.tailMap(key).entrySet().stream()
                .takeWhile(entry -> entry.getKey().startsWith(key))
                .map(Map.Entry::getValue));
    }

    private static List<Entity> known(Stream<ServedEntity> entities) {
        return entities.filter(ServedEntity::isKnown).map(Entity.class::cast).toList();
    }

    @Override
    public Transaction beginTransaction() throws BrokerException {
        if (limits().tier() == TierProfile.BASIC) {
            throw new BrokerException(
                    new Rejection(ErrorCode.NOT_IMPLEMENTED, "The tier BASIC does not have transactions."));
        }
        return new ServedTransaction(this);
    }

    @Override
    public CompletionStage<Entity> createQueue(QueueDescription description) {
        return counted(changes.create(description), null);
    }

    @Override
    public CompletionStage<Entity> updateQueue(QueueDescription description) {
        return counted(changes.update(description), entity(description.path()));
    }

    @Override
    public CompletionStage<Entity> createTopic(TopicDescription description) {
        return counted(changes.create(description), null);
    }

    @Override
    public CompletionStage<Entity> updateTopic(TopicDescription description) {
        return counted(changes.update(description), entity(description.path()));
    }

    @Override
    public CompletionStage<Entity> createSubscription(
            SubscriptionDescription description, @Nullable RuleDescription rule) {
        return counted(changes.createSubscription(description, rule), null);
    }

    @Override
    public CompletionStage<Entity> updateSubscription(SubscriptionDescription description) {
        return counted(changes.update(description), entity(description.path()));
    }

    @Override
    public CompletionStage<Entity> createRule(String subscriptionPath, RuleDescription rule) {
        return counted(changes.rules().create(subscriptionPath, rule), entity(subscriptionPath));
    }

    @Override
    public CompletionStage<Entity> updateRule(String subscriptionPath, RuleDescription rule) {
        return counted(changes.rules().update(subscriptionPath, rule), entity(subscriptionPath));
    }

    @Override
    public CompletionStage<Void> deleteRule(String subscriptionPath, String ruleName) {
        return counted(changes.rules().delete(subscriptionPath, ruleName), entity(subscriptionPath));
    }

    @Override
    public CompletionStage<Void> deleteEntity(String path) {
        return counted(changes.delete(path), null);
    }
}
