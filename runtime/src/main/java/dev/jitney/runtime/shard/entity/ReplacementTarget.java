package dev.jitney.runtime.shard.entity;

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

/** The choice of the entity, or of its fragment, that gets the new message of a {@link Replacement}. Any thread may call it. */
public final class ReplacementTarget {

    private ReplacementTarget() {}

    /**
     * Returns the target, or the reason why there is none.
     *
     * @param entity the entity of the message to remove
     * @param holder its fragment with that message, or itself
     */
    public static SendTarget of(HostedEntity entity, HostedEntity holder, Replacement replacement) {
        if (!(replacement.destination() instanceof HostedEntity destination)) {
            throw new IllegalArgumentException("Expected an entity of this broker.");
        }
        IncomingMessage message = replacement.message();
        if (destination instanceof HostedSubscription subscription) {
            return destination == entity
                    ? toSubscription(holder, subscription, message)
                    : SendTarget.none(new Rejection(
                            ErrorCode.INVALID_OPERATION,
                            "'" + destination.path()
                                    + "' is a subscription, which gets no messages from other entities. Send them to its"
                                    + " topic '" + subscription.topic().path() + "'."));
        }
        Rejection refusal = destination.unservedSends();
        if (refusal != null) {
            return SendTarget.none(refusal);
        }
        boolean staysInFragment =
                destination == entity && !hasKey(message) && !hasKeyOfDuplicates(destination, message);
        SendTarget target = staysInFragment ? SendTarget.of(holder) : destination.destination(List.of(message));
        HostedEntity there = target.entity();
        Rejection unknown = there == null || there.mailbox() == holder.mailbox() ? null : refusalElsewhere(destination);
        return unknown == null ? target : SendTarget.none(unknown);
    }

    /** Returns the reason why a message cannot leave its store for an entity, or null. */
    private static @Nullable Rejection refusalElsewhere(HostedEntity destination) {
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

    /** Returns the fragment of a subscription that has the message, if the new message belongs there too. */
    private static SendTarget toSubscription(
            HostedEntity holder, HostedSubscription subscription, IncomingMessage message) {
        SendTarget ofTopic =
                hasKey(message) ? subscription.topic().destination(List.of(message)) : SendTarget.of(holder);
        if (ofTopic.refusal() != null) {
            return ofTopic;
        }
        HostedEntity there = ofTopic.entity();
        boolean elsewhere =
                there != null && (there.mailbox() != holder.mailbox() || there.fragment() != holder.fragment());
        return elsewhere
                ? SendTarget.none(new Rejection(
                        ErrorCode.INVALID_OPERATION,
                        "The SessionId or PartitionKey of the message belongs to another partition. Send it to the topic"
                                + " '" + subscription.topic().path() + "'."))
                : SendTarget.of(holder);
    }

    /** Returns whether the MessageId is a key, so that the duplicates of a message reach the same fragment (PART-35). */
    private static boolean hasKeyOfDuplicates(HostedEntity destination, IncomingMessage message) {
        return message.messageId() != null && detectsDuplicates(destination.description());
    }

    private static boolean detectsDuplicates(EntityDescription description) {
        return description instanceof QueueDescription queue && queue.requiresDuplicateDetection()
                || description instanceof TopicDescription topic && topic.requiresDuplicateDetection();
    }

    private static boolean hasKey(IncomingMessage message) {
        return message.sessionId() != null || message.partitionKey() != null;
    }
}
