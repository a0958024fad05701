package dev.jitney.runtime.namespace;

import dev.jitney.core.Command;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Replacement;
import dev.jitney.runtime.shard.entity.HostedEntity.SendTarget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The entity, or fragment of it, that gets the new message of a {@link Replacement}. */
final class ReplacementTarget {

    private ReplacementTarget() {}

    /**
     * @param entity the entity of the message to remove
     * @param holder its fragment with that message, or itself
     */
    static SendTarget of(ServedEntity entity, ServedEntity holder, Replacement replacement) {
        if (!(replacement.destination() instanceof ServedEntity destination)) {
            throw new IllegalArgumentException("Expected an entity of this broker.");
        }
        List<IncomingMessage> messages = List.of(replacement.message());
        if (destination instanceof ServedSubscription subscription) {
            return toSubscription(entity, holder, subscription, messages);
        }
        Rejection refusal = destination.refuse(new Command.SendMessages(messages));
        if (refusal != null) {
            return SendTarget.none(refusal);
        }
        boolean staysInFragment = destination == entity && !hasKey(replacement.message());
        SendTarget target = staysInFragment ? SendTarget.of(holder) : destination.destination(messages);
        boolean leavesStore = target.entity() instanceof ServedEntity there && there.shard() != holder.shard();
        Rejection unknown = leavesStore ? refusalElsewhere(destination) : null;
        return unknown == null ? target : SendTarget.none(unknown);
    }

    /** Returns the reason why a message cannot leave its store for an entity, or null. */
    private static @Nullable Rejection refusalElsewhere(ServedEntity destination) {
        if (!destination.description().status().allowsSend()) {
            return new Rejection(
                    ErrorCode.ENTITY_DISABLED,
                    "Messaging entity '" + destination.path() + "' is currently disabled for sending.");
        }
        return detectsDuplicates(destination.description())
                ? new Rejection(
                        ErrorCode.INVALID_OPERATION,
                        "'" + destination.path()
                                + "' detects duplicates and is in another messaging store, where it is not known"
                                + " yet whether it would drop the message. Move the message to a queue without duplicate"
                                + " detection.")
                : null;
    }

    private static SendTarget toSubscription(
            ServedEntity entity, ServedEntity holder, ServedSubscription subscription, List<IncomingMessage> messages) {
        if (subscription != entity) {
            return SendTarget.none(new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "'" + subscription.path() + "' is a subscription, which gets no messages from other entities. Send"
                            + " them to its topic '" + subscription.topic().path() + "'."));
        }
        boolean keyed = messages.stream().anyMatch(ReplacementTarget::hasKey);
        SendTarget ofTopic = keyed ? subscription.topic().destination(messages) : SendTarget.of(holder);
        if (ofTopic.refusal() != null) {
            return ofTopic;
        }
        boolean same = !keyed
                || !(ofTopic.entity() instanceof ServedEntity there)
                || there.shard() == holder.shard() && there.fragment() == holder.fragment();
        return same
                ? SendTarget.of(holder)
                : SendTarget.none(new Rejection(
                        ErrorCode.INVALID_OPERATION,
                        "The SessionId or PartitionKey of the message belongs to another partition. Send it to the topic"
                                + " '" + subscription.topic().path() + "'."));
    }

    private static boolean detectsDuplicates(EntityDescription description) {
        return description instanceof QueueDescription queue && queue.requiresDuplicateDetection()
                || description instanceof TopicDescription topic && topic.requiresDuplicateDetection();
    }

    private static boolean hasKey(IncomingMessage message) {
        return message.sessionId() != null || message.partitionKey() != null;
    }
}
