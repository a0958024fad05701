package dev.jitney.core.topic;

import dev.jitney.model.IncomingMessage;
import java.util.List;

/**
 * The evaluation of the rules of a topic in the view of decisions: it finds the subscriptions that match a message. For
 * the shard's thread.
 *
 * <p>A call changes neither subscriptions nor rules. It compiles rules at their first use, as a cache, and counts the
 * steps that it takes.
 */
@FunctionalInterface
public interface SubscriptionMatcher {

    /**
     * Returns the subscriptions that match a message.
     *
     * @param message the message as sent, with the time to live that the topic allows (TTL-15)
     * @param topicNumber the number of the message in the topic
     * @param nowMs time of publication, milliseconds since the epoch
     */
    List<Match> matches(IncomingMessage message, long topicNumber, long nowMs);

    /**
     * Compiles some of the rules that are not compiled.
     *
     * @return whether all are compiled now; if not, {@link #matches} compiles the others
     */
    default boolean prepare() {
        return true;
    }

    /** Returns the steps that the matcher has taken since its creation to compile rules and evaluate messages. */
    default long steps() {
        return 0;
    }

    /** Returns the matches of an earlier turn without subscriptions that have been deleted since. */
    default List<Match> stillThere(List<Match> matches) {
        return matches;
    }
}
