package dev.jitney.runtime.shard.entity;

import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.SharedBody;
import dev.jitney.runtime.rows.PartRow;
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
 * The messages of deleted subscriptions that are still stored. They share bodies with other subscriptions, so each
 * message must release its body. For many messages that takes long, so they are deleted in slices, also across a
 * restart. For the shard's thread.
 */
public final class DeletionBacklog {
    private static final int MESSAGES_PER_SLICE = 256;
    private static final List<Lane> LANES = List.of(Lane.MAIN, Lane.DEAD_LETTER, Lane.TRANSFER_DEAD_LETTER);

    private final StoreRowWriter writer;
    private final StoreRowReader reader;

    /** The progress for each deleted subscription, by its number. */
    private final Map<Long, Progress> deleted = new LinkedHashMap<>();

    /** Deleted subscriptions with a corrupt row. Their remaining rows stay and only take up disk space. */
    private final Set<Long> givenUp = new HashSet<>();

    /** The next message to delete, as lane and sequence number. */
    private record Progress(long topicId, int lane, long from) {
        Progress behind(Remnant message) {
            return new Progress(topicId, lane, message.sequenceNumber() + 1);
        }

        Progress nextLane() {
            return new Progress(topicId, lane + 1, 0);
        }
    }

    public DeletionBacklog(StoreRowWriter writer, StoreRowReader reader) {
        this.writer = writer;
        this.reader = reader;
    }

    /** Loads the unfinished deletions from the store. */
    public void load() {
        deleted.clear();
        reader.remains().forEach((subscriptionId, topicId) -> deleted.put(subscriptionId, new Progress(topicId, 0, 0)));
    }

    /** Deletes a subscription. Its messages are deleted later, in slices. */
    public void leave(long subscriptionId, long topicId) {
        writer.deleteSubscription(subscriptionId, topicId);
        deleted.put(subscriptionId, new Progress(topicId, 0, 0));
    }

    /**
     * Deletes a fragment of a deleted entity that may be a subscription. Its messages are deleted later, in slices. The
     * first one with a shared body names the topic.
     */
    public void leaveOrphan(PartRow part) {
        leave(part.entityId(), StoreRowWriter.UNKNOWN_TOPIC);
        writer.deletePart(part.entityId());
    }

    /** Gives up a subscription whose remaining rows cannot be read. */
    public void giveUp(long subscriptionId) {
        givenUp.add(subscriptionId);
    }

    /** Retries the subscriptions that were given up. */
    public void retryDamaged() {
        givenUp.clear();
    }

    /** @param away returns whether a topic is out of service, so that its deletions must wait */
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
     * Deletes one slice of messages.
     *
     * @param topics returns a topic that exists, or null
     * @param away returns whether a topic is out of service, so that its deletions must wait
     * @return the topic whose bodies were released, or null
     */
    public @Nullable TopicInShard clear(LongFunction<@Nullable TopicInShard> topics, LongPredicate away) {
        Map.Entry<Long, Progress> first = next(away);
        if (first == null) {
            return null;
        }
        long id = first.getKey();
        Progress progress = first.getValue();
        if (progress.topicId == StoreRowWriter.UNKNOWN_TOPIC) {
            findTopic(first);
            return null;
        }
        TopicInShard topic = topics.apply(progress.topicId);
        if (topic == null || progress.lane == LANES.size()) {
            writer.deleteRemains(id); // the bodies of a deleted topic are deleted already
            deleted.remove(id);
            return null;
        }
        FragmentId fragment = new FragmentId(id, topic.state.id().fragment());
        Lane lane = LANES.get(progress.lane);
        List<Remnant> messages = reader.remnants(fragment, lane, progress.from, MESSAGES_PER_SLICE);
        for (Remnant message : messages) {
            SharedBody body = message.sharedBody();
            if (body != null) {
                topic.bodies.release(body);
            }
            writer.deleteMessage(fragment, lane, message.sequenceNumber());
        }
        first.setValue(after(progress, messages));
        return topic;
    }

    /** Searches one slice of messages for the topic. */
    private void findTopic(Map.Entry<Long, Progress> orphan) {
        long id = orphan.getKey();
        Progress progress = orphan.getValue();
        int fragment = reader.fragmentWithMessages(id);
        if (fragment < 0 || progress.lane == LANES.size()) {
            writer.deleteRemains(id); // no message shares its body
            deleted.remove(id);
            return;
        }
        Lane lane = LANES.get(progress.lane);
        List<Remnant> messages = reader.remnants(new FragmentId(id, fragment), lane, progress.from, MESSAGES_PER_SLICE);
        for (Remnant message : messages) {
            SharedBody body = message.sharedBody();
            if (body != null) {
                long topicId = body.topic().entityId();
                writer.putRemains(id, topicId);
                orphan.setValue(new Progress(topicId, progress.lane, message.sequenceNumber()));
                return;
            }
        }
        orphan.setValue(after(progress, messages));
    }

    private static Progress after(Progress progress, List<Remnant> slice) {
        return slice.size() == MESSAGES_PER_SLICE ? progress.behind(slice.get(slice.size() - 1)) : progress.nextLane();
    }
}
