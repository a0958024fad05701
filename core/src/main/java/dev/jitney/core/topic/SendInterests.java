package dev.jitney.core.topic;

import dev.jitney.model.IncomingMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who wants the messages of one send, as far as it is known. When rules take long to judge them, a send takes several turns of
 * its shard, and this is what one turn leaves to the next. For the shard's thread.
 */
public final class SendInterests {
    /** What one subscription that wants a message takes in memory, about. */
    private static final int INTEREST_BYTES = 64;

    private final Map<Integer, List<Interest>> known = new HashMap<>();
    private long copies;
    private long ownBytes;

    /** Who wants the message at this place of the send; null if it is not known yet. */
    @Nullable
    List<Interest> of(int index) {
        return known.get(index);
    }

    void put(int index, IncomingMessage message, List<Interest> interests) {
        if (known.put(index, interests) == null) {
            copies += Interest.copies(interests);
            ownBytes += Interest.ownBytes(message, interests);
        }
    }

    /** Whether the send stays within the bounds of one step. */
    boolean fits() {
        return copies <= TopicDecider.COPIES_MAX && ownBytes <= TopicDecider.OWN_BYTES_MAX;
    }

    /** Memory that it takes, in bytes, about. */
    public long bytes() {
        return ownBytes + INTEREST_BYTES * copies;
    }

    /** Subscriptions may have gone since the last turn. */
    void refresh(Audience audience) {
        known.replaceAll((index, interests) -> audience.stillThere(interests));
    }
}
