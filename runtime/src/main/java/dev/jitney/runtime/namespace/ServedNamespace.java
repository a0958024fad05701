package dev.jitney.runtime.namespace;

import dev.jitney.model.AccessRule;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Limits;
import dev.jitney.model.Partitioning;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.AuditTrail;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.Documents;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Meter;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.Transaction;
import dev.jitney.runtime.audit.StoredAuditTrail;
import dev.jitney.runtime.rows.MadeNamespaceRow;
import dev.jitney.runtime.rows.NamespaceRow;
import dev.jitney.runtime.shard.Shard;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A namespace distributed over the shards. Looking up an entity runs on the caller's thread; changes go through
 * {@link EntityChanges}.
 */
public final class ServedNamespace extends Namespace {
    private final EntityDirectory directory;
    private final EntityChanges changes;
    private final StoredDocuments documents;
    private final AuditTrail auditTrail;
    private final boolean metered;

    /**
     * @param placement returns the shard for an entity's comparison key, and the home shard of the namespace for an
     *                  empty key
     * @param clock     the time of messages
     * @param seconds   the time that ends the seconds of the throttling credits
     */
    public ServedNamespace(
            NamespaceOptions options,
            Function<String, Shard> placement,
            PartitionedChanges partitioned,
            Clock clock,
            Clock seconds) {
        this.directory = new EntityDirectory(options, clock, seconds);
        this.changes = new EntityChanges(directory, placement, partitioned, directory.throttle());
        this.documents = new StoredDocuments(directory, () -> placement.apply(""));
        this.auditTrail = new StoredAuditTrail(options.name(), documents, clock);
        this.metered = true;
    }

    /** Creates another view of the same entities. */
    private ServedNamespace(ServedNamespace served, Throttle management) {
        this.directory = served.directory;
        this.changes = served.changes.throttledBy(management);
        this.documents = served.documents;
        this.auditTrail = served.auditTrail;
        this.metered = false;
    }

    /** Returns its entities by name. */
    public EntityDirectory directory() {
        return directory;
    }

    /** Adds an entity from the store, before the shard runs. */
    public void adopt(Shard shard, ServedEntity entity) {
        directory.list(entity);
        shard.lifecycle().adopt(entity);
    }

    /** Returns the queue or topic of that name, committed or not. */
    public @Nullable ServedEntity named(String path) {
        return directory.named(path);
    }

    /** Returns queues and topics, including those that are being created. */
    List<ServedEntity> listed() {
        return directory.listed();
    }

    /** Marks the namespace as created at run time. */
    void made(MadeNamespaceRow row) {
        directory.made(row);
    }

    /** Returns the row of a namespace created at run time; null for a configured namespace. */
    @Nullable
    MadeNamespaceRow made() {
        return directory.made();
    }

    /** Marks the namespace as no longer served; no entities are created in it from now on. */
    void leave() {
        directory.leave();
    }

    /** Deletes an entity of a namespace that is being deleted; succeeds if the entity does not exist any more. */
    CompletionStage<Void> drop(ServedEntity entity) {
        return changes.drop(entity);
    }

    /** Returns the options of the namespace. */
    public NamespaceOptions options() {
        return directory.options();
    }

    /** Sets whether a cluster has applied the configuration of the namespace before (CL-32). */
    void configurationKnown(boolean known) {
        directory.configurationKnown(known);
    }

    @Override
    public boolean isConfigurationKnown() {
        return directory.isConfigurationKnown();
    }

    @Override
    public CompletionStage<Void> recordConfiguration() {
        return changes.recordConfiguration();
    }

    /** Applies the stored row of the namespace itself. */
    void settle(NamespaceRow row) {
        directory.settle(row);
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
    public boolean isConfigured() {
        return directory.made() == null;
    }

    @Override
    public boolean isGone() {
        return directory.isGone();
    }

    @Override
    public Namespace unthrottled() {
        return new ServedNamespace(this, Throttle.off());
    }

    @Override
    public String name() {
        return directory.name();
    }

    @Override
    public long createdAtMs() {
        return directory.row().createdAtMs();
    }

    @Override
    public long modifiedAtMs() {
        return directory.row().modifiedAtMs();
    }

    @Override
    public List<AccessRule> accessRules() {
        return directory.row().accessRules();
    }

    @Override
    public CompletionStage<Void> setAccessRules(List<AccessRule> rules) {
        return counted(changes.setAccessRules(rules), null);
    }

    @Override
    public long accessVersion() {
        return directory.accessRules().version();
    }

    @Override
    public boolean hasEntityRule(String ruleName, String key) {
        return directory.accessRules().contains(ruleName, key);
    }

    @Override
    public boolean hasRuleNamed(String ruleName) {
        return super.hasRuleNamed(ruleName) || directory.accessRules().containsName(ruleName);
    }

    @Override
    public Limits limits() {
        return directory.limits();
    }

    @Override
    public Partitioning partitioning() {
        return directory.partitioning();
    }

    @Override
    public Meter meter() {
        return directory.meter();
    }

    @Override
    public void countCall(@Nullable Entity entity) {
        if (metered) {
            directory.countCall(entity);
        }
    }

    /**
     * Counts a change once it is durable, before the caller is notified. A creation or deletion counts only for the
     * namespace.
     */
    private <T> CompletionStage<T> counted(CompletionStage<T> change, @Nullable Entity entity) {
        return change.thenApply(done -> {
            countCall(entity);
            return done;
        });
    }

    /** Refuses requests as throttled for some milliseconds, for tests; 0 ends it. */
    public void throttleFor(long ms) {
        directory.throttle().refuseFor(ms);
    }

    @Override
    public long throttledRequests() {
        return directory.throttle().refusals();
    }

    @Override
    public @Nullable Entity entity(String path) {
        return directory.find(path);
    }

    @Override
    public List<Entity> entities() {
        return directory.known();
    }

    @Override
    public List<Entity> entitiesUnder(String prefix) {
        return directory.knownUnder(prefix);
    }

    @Override
    public Transaction beginTransaction(Object client) throws BrokerException {
        if (limits().tier() == TierProfile.BASIC) {
            throw new BrokerException(
                    new Rejection(ErrorCode.NOT_IMPLEMENTED, "The BASIC tier does not support transactions."));
        }
        return new ServedTransaction(directory, client);
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
