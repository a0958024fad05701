package dev.jitney.core.topic;

import dev.jitney.model.IncomingMessage;
import java.util.List;

/**
 * Finds the subscriptions of a topic that want a message, as decisions see it. For the shard's thread.
 *
 * <p>Asking changes neither subscriptions nor rules. It compiles rules that nobody has asked yet, which is a cache, and counts
 * the steps that it takes.
 */
@FunctionalInterface
public interface SubscriptionMatcher {

    /**
     * Who wants a message.
     *
     * @param topicNumber the number it gets in the topic
     * @param nowMs when it is published, milliseconds since the epoch
     */
    List<Match> matches(IncomingMessage message, long topicNumber, long nowMs);

    /**
     * Makes some of the rules ready that are not.
     *
     * @return whether all are ready now; if they are not, {@link #matches} makes the others ready
     */
    default boolean prepare() {
        return true;
    }

    /** Steps that the rules have taken since the matcher was made, to be made ready and to judge messages. */
    default long steps() {
        return 0;
    }

    /** What was said of a message in an earlier turn, without the subscriptions that have gone since. */
    default List<Match> stillThere(List<Match> matches) {
        return matches;
    }
}
