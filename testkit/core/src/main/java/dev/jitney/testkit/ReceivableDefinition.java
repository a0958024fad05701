package dev.jitney.testkit;

import java.time.Duration;

/**
 * The settings that queues and subscriptions have in common.
 *
 * @param <T> the type of the definition itself
 */
public abstract sealed class ReceivableDefinition<T extends ReceivableDefinition<T>> extends EntityDefinition<T>
        permits QueueDefinition, SubscriptionDefinition {

    ReceivableDefinition(String name) {
        super(name);
        property("MaxDeliveryCount", 10);
    }

    /** Sets the time for which a receiver holds the lock of a message, 5 seconds to 5 minutes. The default is a minute. */
    public T lockDuration(Duration value) {
        return property("LockDuration", value.toString());
    }

    /** Sets the number of deliveries after which a message is dead-lettered, at least 1. The default is 10. */
    public T maxDeliveryCount(int value) {
        return property("MaxDeliveryCount", value);
    }

    /** Delivers messages by session. Each message needs a session id. */
    public T requiresSession() {
        return property("RequiresSession", true);
    }

    /** Moves expired messages to the dead-letter queue. Otherwise they are deleted. */
    public T deadLetterOnExpiration() {
        return property("DeadLetteringOnMessageExpiration", true);
    }

    /** Forwards all messages to a queue or topic of the namespace. */
    public T forwardTo(String entity) {
        return property("ForwardTo", entity);
    }

    /** Forwards dead letters to a queue or topic of the namespace. */
    public T forwardDeadLettersTo(String entity) {
        return property("ForwardDeadLetteredMessagesTo", entity);
    }
}
