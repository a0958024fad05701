package dev.jitney.core.queue.state;

import dev.jitney.core.FragmentId;
import dev.jitney.core.RowReader;
import dev.jitney.core.RowWriter;
import dev.jitney.core.SharedBody;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * The bodies that a topic stores once for all its subscriptions, and the number of removed copies of each. The releases
 * of a turn are written once, before its commit. For the shard's thread.
 */
public final class SharedBodies implements BodyOwner {
    /** The maximum number of counts in memory between commits; the others are in the store. */
    private static final int REMEMBERED_MAX = 16_384;

    private final FragmentId topic;
    private final RowWriter writer;
    private final RowReader reader;

    /** The numbers of removed copies of recently used bodies, the least recently used first. */
    private final LinkedHashMap<Long, Count> counts = new LinkedHashMap<>(64, 0.75f, true);

    /** The counts that are not written yet, in the order in which they changed. */
    private final List<Count> touched = new ArrayList<>();

    /**
     * No body with a greater number has lost a copy yet, which avoids a read of the store in nearly all cases. Negative
     * until the first release.
     */
    private long releasedMax = -1;

    private final QueueState owner;

    /** The bytes that the messages of all subscriptions add to the size of the topic (QUOTA-2). */
    private long subscriptionBytes;

    /**
     * Creates the bodies of a topic.
     *
     * @param owner the state of the topic; the bodies count towards its size (QUOTA-2)
     */
    public SharedBodies(QueueState owner, RowWriter writer, RowReader reader) {
        this.owner = owner;
        this.topic = owner.id();
        this.writer = writer;
        this.reader = reader;
    }

    @Override
    public void release(SharedBody body) {
        Count count = counts.get(body.number());
        if (count == null) {
            count = new Count(body, goneBefore(body.number()));
            counts.put(body.number(), count);
        }
        if (!count.touched) {
            count.touched = true;
            touched.add(count);
        }
        count.gone++;
        if (count.gone == body.copies()) {
            owner.sizeBytes -= body.sizeBytes();
        }
    }

    /** Adds to the size of the subscriptions' messages; negative if they shrank. */
    public void count(long subscriptionBytesDelta) {
        subscriptionBytes += subscriptionBytesDelta;
    }

    /**
     * Returns the bytes that count towards the topic's quota: its own messages and bodies, and those of its
     * subscriptions.
     */
    public long usedBytes() {
        return owner.sizeBytes + subscriptionBytes;
    }

    @Override
    public long usedBytes(long ownBytes) {
        return usedBytes();
    }

    private int goneBefore(long number) {
        if (releasedMax < 0) {
            releasedMax = owner.lastSequenceNumber; // nothing is known about existing bodies
        }
        if (number > releasedMax) {
            releasedMax = number;
            return 0;
        }
        return reader.bodyReleases(topic, number);
    }

    /** Returns whether a body was released since the last flush. */
    public boolean isTouched() {
        return !touched.isEmpty();
    }

    /** Writes the releases since the last commit; to be called before every commit that follows a release. */
    public void flush() {
        for (Count count : touched) {
            long number = count.body.number();
            count.touched = false;
            if (count.gone < count.body.copies()) {
                writer.putBodyReleases(topic, number, count.gone);
                count.hasRow = true;
            } else {
                writer.deleteBody(topic, number);
                counts.remove(number);
                if (count.hasRow) {
                    writer.deleteBodyReleases(topic, number);
                }
            }
        }
        touched.clear();
    }

    /** Releases memory after a commit; before the commit only the counts in memory are correct. */
    public void trim() {
        Iterator<Count> eldest = counts.values().iterator();
        while (counts.size() > REMEMBERED_MAX && eldest.hasNext()) {
            eldest.next();
            eldest.remove();
        }
    }

    private static final class Count {
        final SharedBody body;
        int gone;
        boolean hasRow;
        boolean touched;

        Count(SharedBody body, int gone) {
            this.body = body;
            this.gone = gone;
            hasRow = gone > 0;
        }
    }
}
