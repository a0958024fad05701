/**
 * Topics: what becomes of a message that is published. Its copies live in the subscriptions as messages live in queues. Here
 * are views and values; nothing in this package changes anything.
 *
 * <p>Read {@link dev.jitney.core.topic.SubscriptionMatcher} (which subscriptions want a message, and in what form),
 * {@link dev.jitney.core.topic.Match} and {@link dev.jitney.core.topic.FanOut}, then
 * {@code dev.jitney.core.topic.decide} (which subscriptions get a copy) and {@code dev.jitney.core.topic.state} (the
 * subscriptions and their rules, compiled).
 */
@NullMarked
package dev.jitney.core.topic;

import org.jspecify.annotations.NullMarked;
