package dev.jitney.core.queue;

import dev.jitney.core.FragmentId;
import dev.jitney.core.RowReader;
import dev.jitney.core.RowWriter;
import dev.jitney.core.SharedBody;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

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
    private final LinkedHashMap<Long, Integer> releases = new LinkedHashMap<>(64, 0.75f, true);

    /** Bodies whose count is not written yet. */
    private final Map<Long, SharedBody> touched = new LinkedHashMap<>();

    /** Of those, the ones that had no row of releases before. */
    private final Set<Long> fresh = new LinkedHashSet<>();

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
        Integer known = releases.get(body.number());
        int before = known != null ? known : reader.bodyReleases(topic, body.number());
        if (before == 0) {
            fresh.add(body.number());
        }
        releases.put(body.number(), before + 1);
        touched.put(body.number(), body);
        if (before + 1 == body.copies()) {
            owner.sizeBytes -= body.sizeBytes();
        }
    }

    /** Whether something was released since the last flush. */
    public boolean isTouched() {
        return !touched.isEmpty();
    }

    /** Writes what was released since the last commit; to be called before every commit that follows a release. */
    public void flush() {
        for (SharedBody body : touched.values()) {
            int gone = releases.getOrDefault(body.number(), 0);
            if (gone < body.copies()) {
                writer.putBodyReleases(topic, body.number(), gone);
            } else {
                writer.deleteBody(topic, body.number());
                releases.remove(body.number());
                if (!fresh.contains(body.number())) {
                    writer.deleteBodyReleases(topic, body.number());
                }
            }
        }
        touched.clear();
        fresh.clear();
    }

    /** Gives back memory after a commit; before one, the counts here are the only ones that are right. */
    public void trim() {
        Iterator<Long> eldest = releases.keySet().iterator();
        while (releases.size() > REMEMBERED_MAX && eldest.hasNext()) {
            eldest.next();
            eldest.remove();
        }
    }
}
