package dev.jitney.conformance.support;

import static dev.jitney.conformance.support.TestBroker.await;

import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleFilter.TrueRuleFilter;
import dev.jitney.model.rule.SqlRuleAction;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Creates and changes topics, subscriptions and rules of a test's broker, all of them with names of their own. */
public final class Topics {
    private final TestBroker broker;

    Topics(TestBroker broker) {
        this.broker = broker;
    }

    /** A topic with all defaults. */
    public String create() {
        return create(t -> t);
    }

    /** A topic as {@link TestBroker#viaQueue} is a queue. */
    public String createVia() {
        PartitionedRun.assumeOrdinaryEntities();
        return create(t -> t.enablePartitioning(false));
    }

    /** A topic of that description under a new name. */
    public String create(UnaryOperator<TopicDescription.Builder> description) {
        String name = TestBroker.name("topic");
        await(broker.namespace()
                .createTopic(description
                        .apply(TopicDescription.named(name).enablePartitioning(PartitionedRun.ASKED))
                        .build()));
        return name;
    }

    /** A subscription that takes everything. */
    public Subscription subscribe(String topic) {
        return subscribe(topic, s -> s);
    }

    /** A subscription of that description that takes everything. */
    public Subscription subscribe(String topic, UnaryOperator<SubscriptionDescription.Builder> description) {
        return subscribe(topic, description, RuleDescription.takeEverything());
    }

    /** A subscription with one rule of that filter. */
    public Subscription subscribe(String topic, String filter) {
        return subscribe(topic, s -> s, sql("filter", filter, null));
    }

    /** A subscription with that rule, or with none. */
    public Subscription subscribe(
            String topic, UnaryOperator<SubscriptionDescription.Builder> description, @Nullable RuleDescription rule) {
        Subscription subscription = new Subscription(topic, TestBroker.name("sub"));
        await(broker.namespace()
                .createSubscription(
                        description
                                .apply(SubscriptionDescription.of(topic, subscription.name()))
                                .build(),
                        rule));
        return subscription;
    }

    /** A subscription without rules, which takes nothing yet. */
    public Subscription subscribeToNothing(String topic) {
        return subscribe(topic, s -> s, null);
    }

    /** A rule with a filter in SQL; 1=1 takes everything. */
    public static RuleDescription sql(String name, String filter, @Nullable String action) {
        return new RuleDescription(
                name,
                filter.equals("1=1") ? TrueRuleFilter.INSTANCE : new SqlRuleFilter(filter, Map.of()),
                action == null ? null : new SqlRuleAction(action, Map.of()));
    }

    public void addRule(Subscription subscription, RuleDescription rule) {
        await(broker.namespace().createRule(subscription.path(), rule));
    }

    public void update(String topic, UnaryOperator<TopicDescription.Builder> change) {
        TopicDescription old = (TopicDescription)
                Objects.requireNonNull(broker.namespace().entity(topic)).description();
        await(broker.namespace().updateTopic(change.apply(old.toBuilder()).build()));
    }

    public void update(Subscription subscription, UnaryOperator<SubscriptionDescription.Builder> change) {
        SubscriptionDescription old = (SubscriptionDescription)
                Objects.requireNonNull(broker.namespace().entity(subscription.path()))
                        .description();
        await(broker.namespace()
                .updateSubscription(change.apply(old.toBuilder()).build()));
    }
}
