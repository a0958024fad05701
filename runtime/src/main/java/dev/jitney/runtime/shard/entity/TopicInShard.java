package dev.jitney.runtime.shard.entity;

import dev.jitney.core.Command;
import dev.jitney.core.RowReader;
import dev.jitney.core.RowWriter;
import dev.jitney.core.SendExplanation;
import dev.jitney.core.Situation;
import dev.jitney.core.queue.LockView;
import dev.jitney.core.queue.state.QueueState;
import dev.jitney.core.queue.state.SharedBodies;
import dev.jitney.core.topic.FanOut;
import dev.jitney.core.topic.Subscriber;
import dev.jitney.core.topic.decide.SendMatches;
import dev.jitney.core.topic.decide.TopicDecider;
import dev.jitney.core.topic.state.TopicSubscriptions;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A topic in its shard, with its subscriptions and the bodies that they share. For the shard's thread. */
public final class TopicInShard extends EntityInShard {
    final SharedBodies bodies;
    final TopicSubscriptions subscriptions;

    /** True if the store has room for published messages. */
    private boolean hasCapacity = true;

    /** @param spent counts the steps of its rules */
    TopicInShard(
            HostedEntity entity,
            QueueState state,
            RowWriter writer,
            RowReader reader,
            Supplier<UUID> newIds,
            LongConsumer spent) {
        super(entity, state, writer, null);
        this.bodies = new SharedBodies(state, writer, reader);
        this.subscriptions = new TopicSubscriptions(state.limits(), newIds, spent);
    }

    /** Returns the bodies that its subscriptions share. */
    public SharedBodies bodies() {
        return bodies;
    }

    /** Returns its subscriptions with their rules. */
    public TopicSubscriptions subscriptions() {
        return subscriptions;
    }

    /** Returns the latest description, committed or not. */
    public TopicDescription description() {
        return (TopicDescription) entity.latest().description();
    }

    /**
     * Returns the bytes that count towards the topic's quota: its own messages and bodies, and those of its
     * subscriptions.
     */
    public long usedBytes() {
        return bodies.usedBytes();
    }

    /** Adds to the size of the subscriptions' messages; negative if they shrank. */
    void count(long subscriptionBytesDelta) {
        bodies.count(subscriptionBytesDelta);
    }

    /** Adds a subscription or updates its description. */
    public void listen(EntityInShard subscription) {
        subscriptions.putSubscriber(new Subscriber(
                subscription.entity.id(),
                (SubscriptionDescription) subscription.entity.latest().description(),
                subscription.state));
    }

    /** Removes a subscription. */
    void forget(EntityInShard subscription) {
        subscriptions.removeSubscriber(subscription.entity.id());
        count(-subscription.state.sizeBytes());
    }

    /** Adds or replaces a rule of a subscription. */
    public void putRule(long subscriptionId, RuleDescription rule) {
        subscriptions.putRule(subscriptionId, rule);
    }

    /** Removes a rule of a subscription. */
    public void removeRule(long subscriptionId, String name) {
        subscriptions.removeRule(subscriptionId, name);
    }

    /** Sets whether the store has room for published messages. */
    void hasCapacity(boolean room) {
        hasCapacity = room;
    }

    @Override
    public FanOut send(Command.SendMessages send, Situation now) {
        return TopicDecider.send(state, description(), subscriptions, send, usedBytes(), now);
    }

    /**
     * Publishes messages as far as the steps of the turn allow. Returns null if they do not suffice.
     *
     * @param known the matches that earlier turns have found
     */
    public @Nullable FanOut send(Command.SendMessages send, Situation now, SendMatches known, BooleanSupplier mayGoOn) {
        return TopicDecider.send(state, description(), subscriptions, send, usedBytes(), now, known, mayGoOn);
    }

    /** Explains a send for some of the subscriptions. */
    public SendExplanation explain(Command.ExplainSend explain, Situation now) {
        return TopicDecider.explain(state, description(), subscriptions, explain, usedBytes(), now);
    }

    /**
     * Returns the time when a timer must next move messages. The locks in its transfer dead-letter queue end at any time
     * (SUSP-6).
     */
    @Override
    public long nextMoveMs() {
        if (mayPublish()) {
            return super.nextMoveMs();
        }
        LockView lock = state.firstLock();
        return lock == null ? Long.MAX_VALUE : lock.lockedUntilMs();
    }

    /**
     * Returns whether due scheduled messages can be published. They wait while the topic is disabled (SCHED-7) or the disk
     * is full.
     */
    public boolean mayPublish() {
        return hasCapacity && description().status().allowsSend();
    }

    @Override
    void committed() {
        super.committed();
        bodies.trim();
    }
}
