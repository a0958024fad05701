package dev.jitney.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is configured about an entity, and what the descriptions of all kinds have in common. */
public sealed interface EntityDescription permits QueueDescription, TopicDescription, SubscriptionDescription {

    /** The path as created: a queue's or topic's name, or {@code topic/Subscriptions/name}. */
    String path();

    /** Which operations are admitted (semantics chapter 22). */
    EntityStatus status();

    /** Default and ceiling of a message's time to live (TTL-14, TTL-15). */
    long defaultMessageTimeToLiveMs();

    /** Idle time after which the entity goes away (IDLE-3), {@link MessageView#NEVER} for never. */
    long autoDeleteOnIdleMs();

    /** Whether messages are received by session (SESS-1). */
    boolean requiresSession();

    /** Free text, or null. */
    @Nullable
    String userMetadata();

    /** Authorization rules of the entity itself. */
    List<AccessRule> accessRules();

    /** Which kind of entity this describes. */
    default EntityKind kind() {
        if (this instanceof QueueDescription) {
            return EntityKind.QUEUE;
        }
        return this instanceof TopicDescription ? EntityKind.TOPIC : EntityKind.SUBSCRIPTION;
    }
}
