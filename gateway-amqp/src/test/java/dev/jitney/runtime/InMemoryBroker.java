package dev.jitney.runtime;

import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Limits;
import dev.jitney.model.Partitioning;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.audit.StoredAuditTrail;
import dev.jitney.runtime.namespace.OperationMeter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A broker with two namespaces, {@code first} and {@code second}, and entities that tests add. */
public final class InMemoryBroker extends Broker {
    public static final String KEY = "c2VjcmV0";
    public final AtomicLong nowMs = new AtomicLong(1_700_000_000_000L);
    public final InMemoryNamespace first = new InMemoryNamespace("first");
    public final InMemoryNamespace second = new InMemoryNamespace("second");

    @Override
    public List<Namespace> namespaces() {
        return List.of(first, second);
    }

    @Override
    public Clock clock() {
        return nowMs::get;
    }

    @Override
    public String trouble() {
        return null;
    }

    @Override
    public void close() {}

    /** One namespace. */
    public static final class InMemoryNamespace extends Namespace {
        private final String name;
        private final OperationMeter meter = new OperationMeter(0);
        private volatile Limits limits = Limits.of(TierProfile.STANDARD);
        private final AtomicLong accessVersion = new AtomicLong();
        private volatile List<AccessRule> rules = List.of(
                AccessRule.root(KEY),
                new AccessRule("sender", java.util.Set.of(dev.jitney.model.AccessRight.SEND), KEY, null));
        public final Map<String, Entity> entities = new ConcurrentHashMap<>();

        /** The rules whose creation was requested, and the names of rules whose deletion was requested. */
        public final List<Object> ruleChanges = new CopyOnWriteArrayList<>();

        /** The answer to rule changes. */
        public volatile CompletableFuture<Entity> ruleAnswer = CompletableFuture.completedFuture(null);

        private final Documents documents = new InMemoryDocuments();
        private final AuditTrail auditTrail;

        public InMemoryNamespace(String name) {
            this.name = name;
            this.auditTrail = new StoredAuditTrail(name, documents, () -> 1_700_000_000_000L);
        }

        public InMemoryEntity add(EntityDescription description, long maxMessageSizeBytes) {
            InMemoryEntity entity = new InMemoryEntity(description, maxMessageSizeBytes);
            entities.put(EntityAddress.keyOf(description.path()), entity);
            return entity;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public List<AccessRule> accessRules() {
            return rules;
        }

        /** Replaces the rules of the namespace or of the entities that a test has changed. */
        public void rules(List<AccessRule> now) {
            rules = now;
            accessVersion.incrementAndGet();
        }

        @Override
        public long accessVersion() {
            return accessVersion.get();
        }

        @Override
        public boolean hasEntityRule(String ruleName, String key) {
            return entities.values().stream()
                    .flatMap(entity -> entity.description().accessRules().stream())
                    .anyMatch(rule -> rule.name().equalsIgnoreCase(ruleName)
                            && (key.equals(rule.primaryKey()) || key.equals(rule.secondaryKey())));
        }

        @Override
        public Meter meter() {
            return meter;
        }

        @Override
        public void countCall(Entity entity) {
            meter.countCall();
        }

        @Override
        public Documents documents() {
            return documents;
        }

        @Override
        public AuditTrail auditTrail() {
            return auditTrail;
        }

        @Override
        public CompletionStage<Void> setAccessRules(List<AccessRule> rules) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Entity> createTopic(TopicDescription description) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Entity> updateTopic(TopicDescription description) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Entity> createSubscription(SubscriptionDescription description, RuleDescription rule) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Entity> updateSubscription(SubscriptionDescription description) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Entity> createRule(String subscriptionPath, RuleDescription rule) {
            ruleChanges.add(rule);
            return ruleAnswer;
        }

        @Override
        public CompletionStage<Entity> updateRule(String subscriptionPath, RuleDescription rule) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Void> deleteRule(String subscriptionPath, String ruleName) {
            ruleChanges.add(ruleName);
            return ruleAnswer.thenApply(subscription -> null);
        }

        @Override
        public long createdAtMs() {
            return 1;
        }

        @Override
        public long modifiedAtMs() {
            return 1;
        }

        @Override
        public Limits limits() {
            return limits;
        }

        @Override
        public Partitioning partitioning() {
            return Partitioning.DEFAULT;
        }

        /** Lowers the connection limit of the namespace. */
        public void maxConnections(int count) {
            Limits l = limits;
            limits = new Limits(
                    l.tier(),
                    l.maxMessageSizeBytes(),
                    l.maxQueueSizeInMegabytes(),
                    l.maxTimeToLiveMs(),
                    l.maxIdLength(),
                    l.maxPropertySizeBytes(),
                    l.maxHeaderSizeBytes(),
                    l.maxEntities(),
                    l.maxPartitionedEntities(),
                    l.maxSubscriptions(),
                    l.maxSqlFilters(),
                    l.maxCorrelationFilters(),
                    count,
                    l.maxReceivers(),
                    l.maxLocks(),
                    l.maxPeekCount(),
                    l.maxPeekSizeBytes(),
                    l.maxBatchDeleteCount());
        }

        @Override
        public Entity entity(String path) {
            return entities.get(EntityAddress.keyOf(path));
        }

        @Override
        public List<Entity> entities() {
            return List.copyOf(entities.values());
        }

        @Override
        public Transaction beginTransaction(Object client) {
            throw new BrokerException(
                    new Rejection(ErrorCode.NOT_IMPLEMENTED, "Transactions are not supported by this test broker."));
        }

        @Override
        public CompletionStage<Entity> createQueue(QueueDescription description) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Entity> updateQueue(QueueDescription description) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Void> deleteEntity(String path) {
            throw new UnsupportedOperationException();
        }
    }
}
