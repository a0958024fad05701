package dev.jitney.core.topic;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.FragmentId;
import dev.jitney.core.LockTokenSequence;
import dev.jitney.core.Output;
import dev.jitney.core.Record;
import dev.jitney.core.SendExplanation;
import dev.jitney.core.Situation;
import dev.jitney.core.queue.decide.QueueDecider;
import dev.jitney.core.queue.state.InMemoryRows;
import dev.jitney.core.queue.state.MemoryBudget;
import dev.jitney.core.queue.state.QueueApplier;
import dev.jitney.core.queue.state.QueueState;
import dev.jitney.core.queue.state.SharedBodies;
import dev.jitney.core.topic.decide.TopicDecider;
import dev.jitney.core.topic.state.TopicSubscriptions;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.SqlRuleAction;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A topic with subscriptions and their rules, driven like in a shard. */
final class TopicFixture {
    static final long START_MS = 1_700_000_000_000L;

    final InMemoryRows rows = new InMemoryRows();
    final QueueState topic;
    final SharedBodies bodies;
    final Map<String, Subscription> subscriptions = new LinkedHashMap<>();
    long nowMs = START_MS;
    private final TopicDescription description;
    private final QueueApplier applier;
    private final Limits limits = Limits.of(TierProfile.STANDARD);
    private final MemoryBudget budget = new MemoryBudget(64L << 20, 1_000_000, 4_096);
    private final LockTokenSequence tokens = new LockTokenSequence(1, 2);
    final TopicSubscriptions matcher;
    private long newIds;

    /** One subscription with its rows. */
    static final class Subscription {
        final InMemoryRows rows = new InMemoryRows();
        final Subscriber subscriber;
        final QueueApplier applier;

        private final QueueState state;

        Subscription(Subscriber subscriber, QueueState state) {
            this.subscriber = subscriber;
            this.state = state;
            this.applier = new QueueApplier(state, rows);
        }

        QueueState state() {
            return state;
        }
    }

    TopicFixture(TopicDescription description) {
        this.description = description;
        this.topic = new QueueState(
                new FragmentId(1, 0), AsQueue.of(description), limits, ExpiryEnforcement.ON_RECEIVER, budget);
        this.bodies = new SharedBodies(topic, rows, rows);
        this.applier = new QueueApplier(topic, rows);
        this.matcher = new TopicSubscriptions(limits, () -> new UUID(0x4000, ++newIds));
    }

    /**
     * Creates a subscription with these rules, or with the default rule, which matches everything, if there are none
     * (RULE-1).
     */
    Subscription subscribe(SubscriptionDescription description, RuleDescription... rules) {
        long id = 2 + subscriptions.size();
        QueueState state = new QueueState(
                new FragmentId(id, 0),
                AsQueue.of(description, this.description),
                limits,
                ExpiryEnforcement.ON_RECEIVER,
                budget,
                bodies,
                rows);
        Subscription subscription = new Subscription(new Subscriber(id, description, state), state);
        subscriptions.put(description.name(), subscription);
        matcher.putSubscriber(subscription.subscriber);
        for (RuleDescription rule : rules) {
            matcher.putRule(id, rule);
        }
        if (rules.length == 0) {
            matcher.putRule(id, RuleDescription.takeEverything());
        }
        return subscription;
    }

    Subscription subscribe(String name, RuleDescription... rules) {
        return subscribe(SubscriptionDescription.of("t", name).build(), rules);
    }

    /** Returns a rule with an SQL filter. */
    static RuleDescription rule(String name, String filter) {
        return new RuleDescription(name, new SqlRuleFilter(filter, Map.of()), null);
    }

    /** Returns a rule with an SQL filter and an action. */
    static RuleDescription rule(String name, String filter, String action) {
        return new RuleDescription(name, new SqlRuleFilter(filter, Map.of()), new SqlRuleAction(action, Map.of()));
    }

    FanOut send(IncomingMessage... messages) {
        FanOut fanOut = TopicDecider.send(
                topic, description, matcher, new Command.SendMessages(List.of(messages)), 0, situation(rows));
        apply(fanOut);
        return fanOut;
    }

    /** Explains a send, and continues until the end. */
    /** The longest processor time of one part of an explanation. */
    long longestExplanationNanos;

    List<SendExplanation> explain(IncomingMessage message) {
        List<SendExplanation> parts = new ArrayList<>();
        SendExplanation.Position next = SendExplanation.Position.START;
        while (next != null) {
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            SendExplanation part = TopicDecider.explain(
                    topic, description, matcher, new Command.ExplainSend(message, next, 100), 0, situation(rows));
            longestExplanationNanos = Math.max(
                    longestExplanationNanos, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start);
            parts.add(part);
            next = part.next();
        }
        return parts;
    }

    FanOut publishDue() {
        topic.fillTimers(rows);
        FanOut fanOut = TopicDecider.publishDue(topic, description, matcher, situation(rows), 100, () -> true);
        apply(fanOut);
        return fanOut;
    }

    private void apply(FanOut fanOut) {
        fanOut.records().forEach(applier::apply);
        for (FanOut.Copy copy : fanOut.copies()) {
            subscriptions.get(copy.subscriber().description().name()).applier.apply(copy.record());
        }
        commit();
    }

    private void commit() {
        topic.committed();
        bodies.flush();
        bodies.trim();
    }

    /** Receives and deletes all messages. */
    List<MessageView> drain(Subscription subscription, SubQueue subQueue) {
        List<MessageView> out = new ArrayList<>();
        decide(subscription, new Command.AttachReceiver(99, subQueue, ReceiveMode.RECEIVE_AND_DELETE));
        decide(subscription, new Command.SetCredit(99, 1_000, false));
        Decision deliveries = QueueDecider.decideDeliveries(subscription.state(), situation(subscription.rows), 1_000);
        deliveries.records().forEach(subscription.applier::apply);
        for (Output output : deliveries.outputs()) {
            if (output instanceof Output.Delivered delivered) {
                out.add(delivered.message());
            }
        }
        decide(subscription, new Command.DetachReceiver(99));
        commit();
        return out;
    }

    private void decide(Subscription subscription, Command command) {
        for (Record record : QueueDecider.decide(subscription.state(), command, situation(subscription.rows))
                .records()) {
            subscription.applier.apply(record);
        }
    }

    Situation situation() {
        return situation(rows);
    }

    private Situation situation(InMemoryRows of) {
        return new Situation(nowMs, true, of, tokens);
    }

    static IncomingMessage message(String text) {
        return Sent.of(text).message();
    }
}
