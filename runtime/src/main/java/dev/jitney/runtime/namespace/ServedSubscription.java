package dev.jitney.runtime.namespace;

import dev.jitney.core.Command;
import dev.jitney.core.CommandTraits.TakenBy;
import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.core.topic.AsQueue;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.Rule;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.runtime.shard.Shard;
import dev.jitney.runtime.shard.entity.HostedSubscription;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** A subscription that a shard hosts, with its rules. */
public final class ServedSubscription extends ServedEntity implements HostedSubscription {
    private final ServedTopic topic;

    /** The rules in the shard, committed or not. For the shard's thread. */
    private final Map<String, Rule> latestRules = new HashMap<>();

    /** The number of rules with a correlation filter; the others count as SQL rules. */
    private int correlationRules;

    private final ConcurrentSkipListMap<String, Rule> durableRules = new ConcurrentSkipListMap<>();

    public ServedSubscription(Shard shard, EntityRow row, EntityDirectory namespace, ServedTopic topic) {
        super(shard, row, namespace);
        this.topic = topic;
    }

    /**
     * Creates a fragment of a partitioned subscription.
     *
     * @param topic the fragment of the topic that copies messages to it
     */
    ServedSubscription(long id, ServedSubscription whole, ServedTopic topic) {
        super(topic.shard(), id, whole, topic.fragment());
        this.topic = topic;
    }

    /** Adds the fragment to its topic's fragment only, not to the directory. */
    @Override
    public void list() {
        if (whole() == null) {
            super.list();
        } else {
            topic.list(this);
        }
    }

    @Override
    public void unlist() {
        super.unlist();
        if (whole() != null) {
            topic.unlist(this);
        }
    }

    @Override
    public ServedTopic topic() {
        return topic;
    }

    String name() {
        return description().name();
    }

    @Override
    public SubscriptionDescription description() {
        return (SubscriptionDescription) super.description();
    }

    @Override
    public QueueDescription asQueue() {
        QueueDescription queue = sized(AsQueue.of((SubscriptionDescription) latest().description(), (TopicDescription)
                topic.latest().description()));
        return whole() == null
                ? queue
                : queue.toBuilder().enablePartitioning(true).build();
    }

    @Override
    @Nullable
    Rejection refuse(Command command) {
        boolean adds = command.kind().takenBy() == TakenBy.NO_SUBSCRIPTION;
        return adds && isKnown()
                ? new Rejection(
                        ErrorCode.INVALID_OPERATION,
                        "'" + path() + "' is a subscription. Send messages to its topic '" + topic.path() + "'.")
                : super.refuse(command);
    }

    @Override
    public long maxMessageSizeBytes() {
        return topic.maxMessageSizeBytes();
    }

    /** Returns the rule of that name in any case, committed or not. For the shard's thread. */
    @Override
    public @Nullable Rule rule(String name) {
        return latestRules.get(EntityAddress.keyOf(name));
    }

    /** Returns its number of rules with such a filter, committed or not. For the shard's thread. */
    int ruleCount(boolean correlation) {
        return correlation ? correlationRules : latestRules.size() - correlationRules;
    }

    /** Returns its rules in the shard, committed or not; for a fragment, those of the whole. For the shard's thread. */
    @Override
    public Collection<Rule> latestRules() {
        return whole() instanceof ServedSubscription all ? all.durableRules.values() : latestRules.values();
    }

    /** Adds or replaces a rule in the shard; {@link #settleRule} follows the commit. For the shard's thread. */
    @Override
    public void changeRule(Rule rule) {
        correlationRules += isCorrelation(rule) ? 1 : 0;
        forgetKind(latestRules.put(EntityAddress.keyOf(rule.description().name()), rule));
    }

    /** Removes a rule in the shard. For the shard's thread. */
    @Override
    public void removeRule(String name) {
        forgetKind(latestRules.remove(EntityAddress.keyOf(name)));
    }

    private void forgetKind(@Nullable Rule former) {
        correlationRules -= former != null && isCorrelation(former) ? 1 : 0;
    }

    private static boolean isCorrelation(Rule rule) {
        return rule.description().filter() instanceof CorrelationRuleFilter;
    }

    /** Returns the visible rule of that name, or null. */
    @Nullable
    Rule durableRule(String name) {
        return durableRules.get(EntityAddress.keyOf(name));
    }

    /** Makes the current rule of that name in the shard visible, or its removal. */
    @Override
    public void settleRule(String name) {
        String key = EntityAddress.keyOf(name);
        Rule rule = latestRules.get(key);
        if (rule == null) {
            durableRules.remove(key);
        } else {
            durableRules.put(key, rule);
        }
    }

    /** Replaces all rules by those of the store. For the shard's thread. */
    @Override
    public void loadRules(List<Rule> rules) {
        latestRules.clear();
        correlationRules = 0;
        rules.forEach(this::changeRule);
        durableRules.keySet().retainAll(latestRules.keySet());
        durableRules.putAll(latestRules);
    }

    @Override
    public List<Rule> rules() {
        return List.copyOf(durableRules.values());
    }
}
