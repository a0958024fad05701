/**
 * Topics: what becomes of a message that is published. {@link dev.jitney.core.topic.TopicDecider} decides which
 * subscriptions get a copy and in what form; the copies then live in the subscriptions as messages live in queues.
 *
 * <p>Who wants a message is what {@link dev.jitney.core.topic.TopicAudience} says, which asks the rules of all
 * subscriptions together and lets their actions make copies ({@code CopyMaker}, {@code CopyChanges}).
 */
@NullMarked
package dev.jitney.core.topic;

import org.jspecify.annotations.NullMarked;
