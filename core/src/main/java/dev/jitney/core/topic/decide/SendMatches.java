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
 * Who wants the messages of one send, as far as it is known. When rules take long to judge them, a send takes several turns of
 * its shard, and this is what one turn leaves to the next. For the shard's thread.
 */
public final class SendMatches {
    /** What one subscription that wants a message takes in memory, about. */
    private static final int INTEREST_BYTES = 64;

    private final Map<Integer, List<Match>> known = new HashMap<>();
    private long copies;
    private long ownBytes;

    /** Who wants the message at this place of the send; null if it is not known yet. */
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

    /** Whether the send stays within the bounds of one step. */
    boolean fits() {
        return copies <= FanOut.COPIES_MAX && ownBytes <= FanOut.OWN_BYTES_MAX;
    }

    /** Memory that it takes, in bytes, about. */
    public long bytes() {
        return ownBytes + INTEREST_BYTES * copies;
    }

    /** Subscriptions may have gone since the last turn. */
    void refresh(SubscriptionMatcher matcher) {
        known.replaceAll((index, matches) -> matcher.stillThere(matches));
    }
}
