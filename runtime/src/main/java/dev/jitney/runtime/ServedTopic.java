package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.core.topic.AsQueue;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TopicDescription;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** A topic that a shard owns, with its subscriptions, which live in the same shard. */
final class ServedTopic extends ServedEntity {
    private final ConcurrentSkipListMap<String, ServedSubscription> subscriptions = new ConcurrentSkipListMap<>();

    /** Why messages cannot be published, because a subscription asks for what would have to be done with them; or null. */
    private volatile @Nullable Rejection forwarding;

    ServedTopic(Shard shard, EntityRow row, ServedNamespace namespace) {
        super(shard, row, namespace);
    }

    @Override
    public TopicDescription description() {
        return (TopicDescription) super.description();
    }

    @Override
    public long maxMessageSizeBytes() {
        Long own = description().maxMessageSizeInKilobytes();
        return own == null ? limits().maxMessageSizeBytes() : own * 1024;
    }

    @Override
    QueueDescription asQueue() {
        return AsQueue.of((TopicDescription) latest().description());
    }

    /** Its scheduled messages, and the size of everything in its subscriptions besides (CNT-2, QUOTA-2). */
    @Override
    public MessageCounts counts() {
        MessageCounts own = super.counts();
        long bytes = own.sizeBytes();
        for (ServedSubscription subscription : subscriptions.values()) {
            bytes += subscription.counts().sizeBytes();
        }
        return own.withSizeBytes(bytes);
    }

    @Override
    public @Nullable Rejection unservedSends() {
        Rejection own = unserved();
        return own != null ? own : forwarding;
    }

    @Override
    public @Nullable Rejection unservedReceives(SubQueue subQueue) {
        return !isKnown() ? null : notOnTopics("Messages are received from a subscription of it.");
    }

    @Override
    @Nullable
    Rejection refuse(Command command) {
        boolean taken = command instanceof Command.SendMessages
                || command instanceof Command.CancelScheduledMessages
                || command instanceof Command.GetCounts
                || (command instanceof Command.PeekMessages peek && peek.subQueue() == SubQueue.MAIN);
        return taken || !isKnown()
                ? super.refuse(command)
                : notOnTopics(
                        "It takes messages, and keeps the scheduled ones until they are due; everything else is done"
                                + " with its subscriptions.");
    }

    private Rejection notOnTopics(String advice) {
        return new Rejection(ErrorCode.INVALID_OPERATION, "'" + path() + "' is a topic. " + advice);
    }

    /** Has a look whether messages could be handed on, after a subscription came, changed or went. */
    private void lookForForwarding() {
        Rejection found = null;
        for (ServedSubscription subscription : subscriptions.values()) {
            if (found == null && subscription.isKnown()) {
                found = ServedFeatures.refuseForwarding(subscription.description());
            }
        }
        forwarding = found;
    }

    /** The store has a subscription as it is now. For the shard's thread. */
    void subscriptionSettled() {
        lookForForwarding();
    }

    /** Takes the name of a subscription, or finds it taken. For the shard's thread. */
    void list(ServedSubscription subscription) {
        subscriptions.put(EntityAddress.keyOf(subscription.name()), subscription);
    }

    void unlist(ServedSubscription subscription) {
        subscriptions.remove(EntityAddress.keyOf(subscription.name()), subscription);
        lookForForwarding();
    }

    /** The subscription of that name in any case, committed or not. */
    @Nullable
    ServedSubscription subscription(String name) {
        return subscriptions.get(EntityAddress.keyOf(name));
    }

    /** All of them, committed or not. */
    List<ServedSubscription> allSubscriptions() {
        return List.copyOf(subscriptions.values());
    }

    @Override
    public List<Entity> subscriptions() {
        return subscriptions.values().stream()
                .filter(ServedEntity::isKnown)
                .map(Entity.class::cast)
                .toList();
    }
}
