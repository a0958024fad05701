package dev.jitney.core.topic;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.FragmentId;
import dev.jitney.core.LockTokenSequence;
import dev.jitney.core.Output;
import dev.jitney.core.Record;
import dev.jitney.core.Situation;
import dev.jitney.core.queue.InMemoryRows;
import dev.jitney.core.queue.MemoryBudget;
import dev.jitney.core.queue.QueueApplier;
import dev.jitney.core.queue.QueueDecider;
import dev.jitney.core.queue.QueueState;
import dev.jitney.core.queue.SharedBodies;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** A topic with subscriptions, driven as their shard drives them. What subscriptions want is told by the test. */
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
    private BiFunction<Subscriber, IncomingMessage, Interest> wants =
            (subscriber, message) -> new Interest(subscriber, true, List.of(), null);

    /** One subscription with its rows. */
    static final class Subscription {
        final InMemoryRows rows = new InMemoryRows();
        final Subscriber subscriber;
        final QueueApplier applier;

        Subscription(Subscriber subscriber) {
            this.subscriber = subscriber;
            this.applier = new QueueApplier(subscriber.state(), rows);
        }

        QueueState state() {
            return subscriber.state();
        }
    }

    TopicFixture(TopicDescription description) {
        this.description = description;
        this.topic = new QueueState(
                new FragmentId(1, 0), AsQueue.of(description), limits, ExpiryEnforcement.ON_RECEIVER, budget);
        this.bodies = new SharedBodies(topic, rows, rows);
        this.applier = new QueueApplier(topic, rows);
    }

    Subscription subscribe(SubscriptionDescription description) {
        long id = 2 + subscriptions.size();
        QueueState state = new QueueState(
                new FragmentId(id, 0), AsQueue.of(description), limits, ExpiryEnforcement.ON_RECEIVER, budget, bodies);
        Subscription subscription = new Subscription(new Subscriber(id, description, state));
        subscriptions.put(description.name(), subscription);
        return subscription;
    }

    Subscription subscribe(String name) {
        return subscribe(SubscriptionDescription.of("t", name).build());
    }

    void wants(BiFunction<Subscriber, IncomingMessage, Interest> answer) {
        wants = answer;
    }

    Publication send(IncomingMessage... messages) {
        Publication publication = TopicDecider.send(
                topic, description, this::interests, new Command.SendMessages(List.of(messages)), 0, situation(rows));
        apply(publication);
        return publication;
    }

    void publishDue() {
        topic.fillTimers(rows);
        apply(TopicDecider.publishDue(topic, description, this::interests, situation(rows), 100));
    }

    private List<Interest> interests(IncomingMessage message, long topicNumber, long atMs) {
        List<Interest> out = new ArrayList<>();
        for (Subscription subscription : subscriptions.values()) {
            Interest interest = wants.apply(subscription.subscriber, message);
            if (interest != null) {
                out.add(interest);
            }
        }
        return out;
    }

    private void apply(Publication publication) {
        publication.records().forEach(applier::apply);
        for (Publication.Copy copy : publication.copies()) {
            subscriptions.get(copy.subscriber().description().name()).applier.apply(copy.record());
        }
        commit();
    }

    private void commit() {
        bodies.flush();
        bodies.trim();
    }

    /** Receives and deletes everything there is. */
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

    private Situation situation(InMemoryRows of) {
        return new Situation(nowMs, true, of, tokens);
    }

    static IncomingMessage message(String text) {
        return message(text, MessageView.NEVER, 0);
    }

    static IncomingMessage message(String text, long timeToLiveMs, long scheduledMs) {
        ByteBuffer none = ByteBuffer.allocate(0);
        MessageContent content = MessageContent.of(
                false, 4, false, none, none, none, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        return new IncomingMessage(
                text, null, null, timeToLiveMs, scheduledMs, false, content.sizeBytes(), 0, 0, content);
    }

    static String text(MessageView message) {
        return StandardCharsets.UTF_8.decode(message.content().body()).toString();
    }
}
