package dev.jitney.runtime.namespace;

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
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.shard.Shard;
import dev.jitney.runtime.shard.entity.HostedTopic;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** A topic that a shard hosts, with its subscriptions, which are in the same shard. */
public final class ServedTopic extends ServedEntity implements HostedTopic {
    private final ConcurrentSkipListMap<String, ServedSubscription> subscriptions = new ConcurrentSkipListMap<>();

    public ServedTopic(Shard shard, EntityRow row, EntityDirectory namespace) {
        super(shard, row, namespace);
    }

    /** Creates a fragment of a partitioned topic. */
    ServedTopic(Shard shard, long id, ServedTopic whole, int fragment) {
        super(shard, id, whole, fragment);
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
    public QueueDescription asQueue() {
        return sized(AsQueue.of((TopicDescription) latest().description()));
    }

    /**
     * Returns the counts of its scheduled messages, with the total size including all subscriptions (CNT-2, QUOTA-2).
     */
    @Override
    public MessageCounts counts() {
        MessageCounts own = super.counts();
        if (fragments() != null) {
            return own; // each fragment has counted its subscriptions
        }
        long bytes = own.sizeBytes();
        for (ServedSubscription subscription : subscriptions.values()) {
            bytes += subscription.counts().sizeBytes();
        }
        return own.withSizeBytes(bytes);
    }

    /**
     * Returns null only for the transfer dead-letter queue, which holds messages that transactions could not transfer
     * (DLQ-29).
     */
    @Override
    public @Nullable Rejection unservedReceives(SubQueue subQueue) {
        if (subQueue == SubQueue.TRANSFER_DEAD_LETTER) {
            return null;
        }
        return !isKnown() ? null : notOnTopics("Receive messages from one of its subscriptions.");
    }

    @Override
    @Nullable
    Rejection refuse(Command command) {
        boolean taken = switch (command.kind().takenBy()) {
            case ALL, NO_SUBSCRIPTION -> true;
            case ALL_BUT_COPIES -> ((Command.NamesSubQueue) command).subQueue() != SubQueue.DEAD_LETTER;
            case TOPIC_FOR_TRANSFER_DEAD_LETTERS ->
                ((Command.NamesSubQueue) command).subQueue() == SubQueue.TRANSFER_DEAD_LETTER;
            case NO_TOPIC -> false;
        };
        return taken || !isKnown()
                ? super.refuse(command)
                : notOnTopics(
                        "It accepts messages and keeps scheduled ones until they are due. For everything else, use one"
                                + " of its subscriptions.");
    }

    private Rejection notOnTopics(String advice) {
        return new Rejection(ErrorCode.INVALID_OPERATION, "'" + path() + "' is a topic. " + advice);
    }

    /** Adds a subscription, unless its name is already used. For the shard's thread. */
    void list(ServedSubscription subscription) {
        subscriptions.put(EntityAddress.keyOf(subscription.name()), subscription);
    }

    void unlist(ServedSubscription subscription) {
        subscriptions.remove(EntityAddress.keyOf(subscription.name()), subscription);
    }

    /** Returns the subscription of that name in any case, committed or not. */
    @Nullable
    ServedSubscription subscription(String name) {
        return subscriptions.get(EntityAddress.keyOf(name));
    }

    @Override
    public List<ServedSubscription> allSubscriptions() {
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
