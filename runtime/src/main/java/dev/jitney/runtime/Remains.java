package dev.jitney.runtime;

import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.SharedBody;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowReader.Remnant;
import dev.jitney.runtime.rows.StoreRowWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Messages of deleted subscriptions. They share bodies with other subscriptions, so each has to give its body back, which
 * for many of them takes longer than anybody should wait: it is done a slice at a time, and goes on after a restart. For
 * the shard's thread.
 */
final class Remains {
    private static final int MESSAGES_PER_SLICE = 256;
    private static final List<Lane> LANES = List.of(Lane.MAIN, Lane.DEAD_LETTER, Lane.TRANSFER_DEAD_LETTER);

    private final StoreRowWriter writer;
    private final StoreRowReader reader;

    /** Where the work on each deleted subscription stands, by its number. */
    private final Map<Long, Progress> deleted = new LinkedHashMap<>();

    /** Before the first message of a lane that may still be there. */
    private record Progress(long topicId, int lane, long from) {}

    Remains(StoreRowWriter writer, StoreRowReader reader) {
        this.writer = writer;
        this.reader = reader;
    }

    /** Takes over what the store says is left to be done. */
    void load() {
        deleted.clear();
        reader.remains().forEach((subscriptionId, topicId) -> deleted.put(subscriptionId, new Progress(topicId, 0, 0)));
    }

    /** Deletes a subscription but for its messages, which follow. */
    void leave(long subscriptionId, long topicId) {
        writer.deleteSubscription(subscriptionId, topicId);
        deleted.put(subscriptionId, new Progress(topicId, 0, 0));
    }

    boolean isEmpty() {
        return deleted.isEmpty();
    }

    /**
     * Does a slice of the work.
     *
     * @param topics finds topics that are there
     * @return the topic whose bodies were given back, or null
     */
    @Nullable
    TopicSlot clear(LongFunction<@Nullable TopicSlot> topics) {
        Map.Entry<Long, Progress> first = deleted.entrySet().iterator().next();
        long id = first.getKey();
        Progress progress = first.getValue();
        TopicSlot topic = topics.apply(progress.topicId);
        if (topic == null || progress.lane == LANES.size()) {
            writer.deleteRemains(id); // a topic that went took its bodies with it
            deleted.remove(id);
            return null;
        }
        FragmentId fragment = new FragmentId(id, topic.state.id().fragment());
        Lane lane = LANES.get(progress.lane);
        List<Remnant> messages = reader.remnants(fragment, lane, progress.from, MESSAGES_PER_SLICE);
        long from = progress.from;
        for (Remnant message : messages) {
            SharedBody body = message.sharedBody();
            if (body != null) {
                topic.bodies.release(body);
            }
            writer.deleteMessage(fragment, lane, message.sequenceNumber());
            from = message.sequenceNumber() + 1;
        }
        boolean more = messages.size() == MESSAGES_PER_SLICE;
        first.setValue(
                more
                        ? new Progress(progress.topicId, progress.lane, from)
                        : new Progress(progress.topicId, progress.lane + 1, 0));
        return topic;
    }
}
