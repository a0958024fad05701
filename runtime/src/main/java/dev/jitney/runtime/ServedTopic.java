package dev.jitney.runtime;

import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.TopicDescription;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** A topic that a shard owns, with its subscriptions, which live in the same shard. */
final class ServedTopic extends DescribedEntity {
    private final ConcurrentSkipListMap<String, ServedSubscription> subscriptions = new ConcurrentSkipListMap<>();

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

    /** Takes the name of a subscription, or finds it taken. For the shard's thread. */
    void list(ServedSubscription subscription) {
        subscriptions.put(EntityAddress.keyOf(subscription.name()), subscription);
    }

    void unlist(ServedSubscription subscription) {
        subscriptions.remove(EntityAddress.keyOf(subscription.name()), subscription);
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
