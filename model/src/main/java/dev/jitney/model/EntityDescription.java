package dev.jitney.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The configuration of an entity, with the properties that all kinds of entities have. */
public sealed interface EntityDescription permits QueueDescription, TopicDescription, SubscriptionDescription {

    /** Returns the path as created: the name of a queue or topic, or {@code topic/Subscriptions/name}. */
    String path();

    /** Returns the status, which decides on the operations that are allowed (semantics chapter 22). */
    EntityStatus status();

    /** Returns the default and maximum time to live of a message (TTL-14, TTL-15). */
    long defaultMessageTimeToLiveMs();

    /** Returns the idle time after which the entity is deleted (IDLE-3), or {@link MessageView#NEVER}. */
    long autoDeleteOnIdleMs();

    /** Returns whether messages are received by session (SESS-1). */
    boolean requiresSession();

    /** Returns the user metadata, or null. */
    @Nullable
    String userMetadata();

    /** Returns the authorization rules of the entity itself. */
    List<AccessRule> accessRules();

    /**
     * Returns whether this description enables partitioning (PART-8). A subscription follows its topic and has no value
     * of its own.
     */
    boolean enablePartitioning();

    /** Returns the name of the queue or topic that gets the messages, or null if the entity forwards none. A topic forwards none. */
    default @Nullable String forwardTo() {
        return null;
    }

    /** Returns the name of the queue or topic that gets the dead letters, or null if the entity keeps them. */
    default @Nullable String forwardDeadLetteredMessagesTo() {
        return null;
    }

    /** Returns a builder that starts from this description. */
    Builder<?> toBuilder();

    /**
     * A builder of a description; not thread-safe.
     *
     * @param <D> the type of description
     */
    interface Builder<D extends EntityDescription> {
        /** Returns the description with the collected properties. */
        D build();
    }

    /** Returns the kind of the described entity. */
    default EntityKind kind() {
        if (this instanceof QueueDescription) {
            return EntityKind.QUEUE;
        }
        return this instanceof TopicDescription ? EntityKind.TOPIC : EntityKind.SUBSCRIPTION;
    }
}
