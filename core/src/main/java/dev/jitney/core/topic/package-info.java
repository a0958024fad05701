/**
 * Topics and the publication of messages. The copies of a message are stored in the subscriptions like messages in
 * queues. This package has views and values; nothing in it changes anything.
 *
 * <p>Read {@link dev.jitney.core.topic.SubscriptionMatcher} (the subscriptions that match a message, and the form of its
 * copies), {@link dev.jitney.core.topic.Match} and {@link dev.jitney.core.topic.FanOut}, then
 * {@code dev.jitney.core.topic.decide} (the subscriptions that get a copy) and {@code dev.jitney.core.topic.state} (the
 * subscriptions and their compiled rules).
 */
@NullMarked
package dev.jitney.core.topic;

import org.jspecify.annotations.NullMarked;
