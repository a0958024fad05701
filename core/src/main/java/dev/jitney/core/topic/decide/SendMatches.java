package dev.jitney.core.topic.decide;

import dev.jitney.core.topic.FanOut;
import dev.jitney.core.topic.Match;
import dev.jitney.core.topic.SubscriptionMatcher;
import dev.jitney.model.IncomingMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The known matches of the messages of one send. If the evaluation of the rules takes long, a send takes several turns of
 * its shard, and each turn passes this state to the next. For the shard's thread.
 */
public final class SendMatches {
    /** The approximate memory of one match in bytes. */
    private static final int INTEREST_BYTES = 64;

    private final Map<Integer, List<Match>> known = new HashMap<>();
    private long copies;
    private long ownBytes;

    /** Returns the matches of the message at this index of the send; null if they are not known yet. */
    @Nullable
    List<Match> of(int index) {
        return known.get(index);
    }

    void put(int index, IncomingMessage message, List<Match> matches) {
        if (known.put(index, matches) == null) {
            copies += Match.copies(matches);
            ownBytes += Match.ownBytes(message, matches);
        }
    }

    /** Returns whether the send stays within the limits of one step. */
    boolean fits() {
        return copies <= FanOut.COPIES_MAX && ownBytes <= FanOut.OWN_BYTES_MAX;
    }

    /** Returns the approximate memory use in bytes. */
    public long bytes() {
        return ownBytes + INTEREST_BYTES * copies;
    }

    /** Removes matches of subscriptions that have been deleted since the last turn. */
    void refresh(SubscriptionMatcher matcher) {
        known.replaceAll((index, matches) -> matcher.stillThere(matches));
    }
}
