package dev.jitney.core.topic;

import dev.jitney.core.queue.QueueView;
import dev.jitney.model.SubscriptionDescription;

/**
 * A subscription in the view of its topic.
 *
 * @param entityId its number in the store
 * @param state the state with its messages
 */
public record Subscriber(long entityId, SubscriptionDescription description, QueueView state) {}
