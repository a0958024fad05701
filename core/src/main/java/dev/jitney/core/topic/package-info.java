/**
 * Topics: what becomes of a message that is published. {@link dev.jitney.core.topic.TopicDecider} decides which
 * subscriptions get a copy and in what form; the copies then live in the subscriptions as messages live in queues.
 */
@NullMarked
package dev.jitney.core.topic;

import org.jspecify.annotations.NullMarked;
