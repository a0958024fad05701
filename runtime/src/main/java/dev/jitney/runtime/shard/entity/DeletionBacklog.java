package dev.jitney.runtime.shard.entity;

import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.SharedBody;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowReader.Remnant;
import dev.jitney.runtime.rows.StoreRowWriter;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Messages of deleted subscriptions. They share bodies with other subscriptions, so each has to give its body back, which
 * for many of them takes longer than anybody should wait: it is done a slice at a time, and goes on after a restart. For
 * the shard's thread.
 */
public final class DeletionBacklog {
    private static final int MESSAGES_PER_SLICE = 256;
    private static final List<Lane> LANES = List.of(Lane.MAIN, Lane.DEAD_LETTER, Lane.TRANSFER_DEAD_LETTER);

    private final StoreRowWriter writer;
    private final StoreRowReader reader;

    /** Where the work on each deleted subscription stands, by its number. */
    private final Map<Long, Progress> deleted = new LinkedHashMap<>();

    /** Those of which a row is damaged: what is left of them stays, and costs nothing but its room. */
    private final Set<Long> givenUp = new HashSet<>();

    /** Before the first message of a lane that may still be there. */
    private record Progress(long topicId, int lane, long from) {}

    public DeletionBacklog(StoreRowWriter writer, StoreRowReader reader) {
        this.writer = writer;
        this.reader = reader;
    }

    /** Takes over what the store says is left to be done. */
    public void load() {
        deleted.clear();
        reader.remains().forEach((subscriptionId, topicId) -> deleted.put(subscriptionId, new Progress(topicId, 0, 0)));
    }

    /** Deletes a subscription but for its messages, which follow. */
    public void leave(long subscriptionId, long topicId) {
        writer.deleteSubscription(subscriptionId, topicId);
        deleted.put(subscriptionId, new Progress(topicId, 0, 0));
    }

    /** What is left of one cannot be read. */
    public void giveUp(long subscriptionId) {
        givenUp.add(subscriptionId);
    }

    /** Those that were given up are tried again. */
    public void retryDamaged() {
        givenUp.clear();
    }

    /** @param away which topics have to be waited for */
    public boolean hasWork(LongPredicate away) {
        return !deleted.isEmpty() && next(away) != null;
    }

    private Map.@Nullable Entry<Long, Progress> next(LongPredicate away) {
        for (Map.Entry<Long, Progress> one : deleted.entrySet()) {
            if (!givenUp.contains(one.getKey()) && !away.test(one.getValue().topicId)) {
                return one;
            }
        }
        return null;
    }

    /**
     * Does a slice of the work.
     *
     * @param topics finds topics that are there
     * @param away which topics have to be waited for
     * @return the topic whose bodies were given back, or null
     */
    public @Nullable TopicInShard clear(LongFunction<@Nullable TopicInShard> topics, LongPredicate away) {
        Map.Entry<Long, Progress> first = next(away);
        if (first == null) {
            return null;
        }
        long id = first.getKey();
        Progress progress = first.getValue();
        TopicInShard topic = topics.apply(progress.topicId);
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
