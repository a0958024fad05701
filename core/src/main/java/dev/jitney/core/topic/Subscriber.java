package dev.jitney.core.topic;

import dev.jitney.core.queue.QueueView;
import dev.jitney.model.SubscriptionDescription;

/**
 * A subscription as its topic sees it.
 *
 * @param entityId its number in the store
 * @param state where its messages are
 */
public record Subscriber(long entityId, SubscriptionDescription description, QueueView state) {}
