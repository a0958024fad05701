/**
 * The decisions of topics. {@link dev.jitney.core.topic.decide.TopicDecider} decides which subscriptions get a copy of a
 * message, and {@code FanOutBuilder} creates the records. A send can take several turns;
 * {@link dev.jitney.core.topic.decide.SendMatches} passes results from one turn to the next. It belongs to that decision
 * and is not state of the topic.
 *
 * <p>This package uses only views. It depends on {@code core.queue.decide}, because messages enter a topic like a queue.
 */
@NullMarked
package dev.jitney.core.topic.decide;

import org.jspecify.annotations.NullMarked;
