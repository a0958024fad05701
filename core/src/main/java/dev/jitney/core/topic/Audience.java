package dev.jitney.core.topic;

import dev.jitney.model.IncomingMessage;
import java.util.List;

/** The subscriptions of a topic with their rules. For the shard's thread. */
@FunctionalInterface
public interface Audience {

    /**
     * Who wants a message.
     *
     * @param topicNumber the number it gets in the topic
     * @param nowMs when it is published, milliseconds since the epoch
     */
    List<Interest> interests(IncomingMessage message, long topicNumber, long nowMs);
}
