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

    /**
     * Makes some of the rules ready that are not.
     *
     * @return whether all are ready now; if they are not, {@link #interests} makes the others ready
     */
    default boolean prepare() {
        return true;
    }

    /** Steps that the rules have taken since the audience was made, to be made ready and to judge messages. */
    default long steps() {
        return 0;
    }

    /** What was said of a message in an earlier turn, without the subscriptions that have gone since. */
    default List<Interest> stillThere(List<Interest> interests) {
        return interests;
    }
}
