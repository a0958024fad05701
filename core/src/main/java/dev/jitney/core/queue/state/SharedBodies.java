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
 * The bodies a topic keeps once for all its subscriptions, and how many copies of each are gone. What was released in a
 * turn is written once, before its commit. For the shard's thread.
 */
public final class SharedBodies implements BodyOwner {
    /** Counts kept in memory between commits; the others are in the store. */
    private static final int REMEMBERED_MAX = 16_384;

    private final FragmentId topic;
    private final RowWriter writer;
    private final RowReader reader;

    /** Copies gone, of bodies asked for lately, the longest unasked first. */
    private final LinkedHashMap<Long, Count> counts = new LinkedHashMap<>(64, 0.75f, true);

    /** Those that are not written yet, in the order in which they changed. */
    private final List<Count> touched = new ArrayList<>();

    /**
     * Bodies with greater numbers have lost no copy yet, which spares looking into the store for nearly all. Negative until
     * the first loses one.
     */
    private long releasedMax = -1;

    private final QueueState owner;

    /** @param owner the state of the topic, whose size the bodies count towards (QUOTA-2) */
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

    private int goneBefore(long number) {
        if (releasedMax < 0) {
            releasedMax = owner.lastSequenceNumber; // of those that are there already nothing is known
        }
        if (number > releasedMax) {
            releasedMax = number;
            return 0;
        }
        return reader.bodyReleases(topic, number);
    }

    /** Whether something was released since the last flush. */
    public boolean isTouched() {
        return !touched.isEmpty();
    }

    /** Writes what was released since the last commit; to be called before every commit that follows a release. */
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

    /** Gives back memory after a commit; before one, the counts here are the only ones that are right. */
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
