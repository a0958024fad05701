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

    /** Whether it says that it is partitioned (PART-8); a subscription is as its topic is, and says nothing. */
    boolean enablePartitioning();

    /** A builder that starts from this description. */
    Builder<?> toBuilder();

    /**
     * Collects the properties of a description; not thread-safe.
     *
     * @param <D> the description
     */
    interface Builder<D extends EntityDescription> {
        /** The description with what was collected. */
        D build();
    }

    /** Which kind of entity this describes. */
    default EntityKind kind() {
        if (this instanceof QueueDescription) {
            return EntityKind.QUEUE;
        }
        return this instanceof TopicDescription ? EntityKind.TOPIC : EntityKind.SUBSCRIPTION;
    }
}
