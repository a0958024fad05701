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

/** A helper that creates and changes topics, subscriptions and rules of a test's broker, with unique names. */
public final class Topics {
    private final TestBroker broker;

    Topics(TestBroker broker) {
        this.broker = broker;
    }

    /** Creates a topic with all defaults. */
    public String create() {
        return create(t -> t);
    }

    /** Creates a topic for sends via it, like {@link TestBroker#viaQueue}. */
    public String createVia() {
        PartitionedRun.assumeOrdinaryEntities();
        return create(t -> t.enablePartitioning(false));
    }

    /** Creates a topic with that description and a new name. */
    public String create(UnaryOperator<TopicDescription.Builder> description) {
        String name = TestBroker.name("topic");
        await(broker.namespace()
                .createTopic(description
                        .apply(TopicDescription.named(name).enablePartitioning(PartitionedRun.ASKED))
                        .build()));
        return name;
    }

    /** Creates a subscription that selects all messages. */
    public Subscription subscribe(String topic) {
        return subscribe(topic, s -> s);
    }

    /** Creates a subscription with that description that selects all messages. */
    public Subscription subscribe(String topic, UnaryOperator<SubscriptionDescription.Builder> description) {
        return subscribe(topic, description, RuleDescription.takeEverything());
    }

    /** Creates a subscription with one rule with that filter. */
    public Subscription subscribe(String topic, String filter) {
        return subscribe(topic, s -> s, sql("filter", filter, null));
    }

    /** Creates a subscription with that rule, or with none. */
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

    /** Creates a subscription without rules, which selects no messages. */
    public Subscription subscribeToNothing(String topic) {
        return subscribe(topic, s -> s, null);
    }

    /** Returns a rule with an SQL filter; 1=1 selects all messages. */
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
