/**
 * Decisions of topics. {@link dev.jitney.core.topic.decide.TopicDecider} decides which subscriptions get a copy of a message;
 * {@code FanOutBuilder} makes the records. {@link dev.jitney.core.topic.decide.SendMatches} is what a send that takes several
 * turns notes for the next one: it belongs to that decision and is no state of the topic.
 *
 * <p>Sees views only. Depends on {@code core.queue.decide}, because a message enters a topic as it enters a queue.
 */
@NullMarked
package dev.jitney.core.topic.decide;

import org.jspecify.annotations.NullMarked;
