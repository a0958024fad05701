/**
 * The subscriptions of a topic in memory, with their rules. {@link dev.jitney.core.topic.state.TopicSubscriptions}
 * evaluates the rules of all subscriptions together ({@code SubscriberRules}, {@code TopicRule}), and their actions
 * create copies ({@code CopyMaker}, {@code CopyChanges}, {@code SentProperties}).
 *
 * <p>The shard adds and removes subscriptions and rules when their descriptions change. Decisions use
 * {@link dev.jitney.core.topic.SubscriptionMatcher} and no class of this package.
 */
@NullMarked
package dev.jitney.core.topic.state;

import org.jspecify.annotations.NullMarked;
