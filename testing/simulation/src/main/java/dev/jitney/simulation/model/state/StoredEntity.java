package dev.jitney.simulation.model.state;

import dev.jitney.core.Lane;
import dev.jitney.model.EntityStatus;
import dev.jitney.simulation.model.row.RowBytes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one fragment of an entity holds; an ordinary entity has one. A partitioned entity has one more for itself, which holds
 * nothing.
 */
public final class StoredEntity {
    public final long entityId;
    public final int fragment;
    public final int store;
    /** That of its entity; nothing while that is not there yet. */
    public String path;

    public EntitySettings settings;

    /** The partitioned entity that this is a fragment of, once that is there; null for an ordinary one. */
    @Nullable
    public StoredEntity whole;

    /** The settings before the batch that is being judged. */
    public EntitySettings before;

    private final TreeMap<Long, MessageCopy> main = new TreeMap<>();
    private final TreeMap<Long, MessageCopy> deadLetter = new TreeMap<>();
    private final TreeMap<Long, MessageCopy> transferDeadLetter = new TreeMap<>();
    private final TreeMap<Long, MessageCopy> scheduled = new TreeMap<>();

    /** When its settings changed last, as far as the fragment knows, and how long locks were in the minute before. */
    public long changedMs;

    public long lockMsBefore;

    /** Messages a receiver that takes them for good has taken in this turn, but not heard of. */
    public final Map<Long, MessageCopy> taken = new HashMap<>();

    /** Messages that may have been taken so, or have expired with their session. */
    public final Map<Long, MessageCopy> perhapsTaken = new HashMap<>();

    /** When it was used last, in the time its shard has worked. */
    public long usedMs;

    /** Whether the broker may not know of all of that any more. */
    public boolean usedVaguely;

    public long lastNumber;
    public int deferred;
    public int locked;
    public long sizeBytes;
    public int outgoing;
    public boolean gone;

    /** Whether it was created in the turn that is under way. */
    public boolean fresh = true;

    /** The last row of its totals in the batch that is being judged. */
    public RowBytes.@Nullable Totals written;

    boolean touched;

    public StoredEntity(long entityId, int fragment, String path, EntitySettings settings) {
        this.entityId = entityId;
        this.fragment = fragment;
        this.store = (int) (entityId >>> 24);
        this.path = path;
        this.settings = settings;
        this.before = settings;
    }

    /** Finds entities; the simulator writes a path in one way only. */
    public interface Lookup {
        /** The entities of an entity: one, or one for each fragment; none if there is no such entity. */
        List<StoredEntity> of(String path);

        /** The entity that a sequence number of an entity belongs to; null if there is no such entity. */
        @Nullable
        StoredEntity of(String path, long number);

        /** The entity that has a session of an entity: of a partitioned one that of a fragment (PART-29). */
        @Nullable
        StoredEntity ofSession(String path, @Nullable String session);

        /** Whether a path is that of a partitioned entity that is there, or of the rest of one. */
        boolean isPartitioned(String path);
    }

    public static long key(long entityId, int fragment) {
        return entityId << 16 | fragment;
    }

    /** Entity and fragment as one number. */
    public long key() {
        return key(entityId, fragment);
    }

    /** Whether it is a fragment of a partitioned entity. */
    public boolean isFragment() {
        return whole != null;
    }

    /** Its settings change. */
    public void change(EntitySettings changed, long nowMs) {
        before = settings;
        lockMsBefore = Math.max(settings.lockMs(), changedMs + Lock.MAX_MS > nowMs ? lockMsBefore : 0);
        changedMs = nowMs;
        settings = changed;
    }

    public TreeMap<Long, MessageCopy> lane(Lane lane) {
        return switch (lane) {
            case MAIN -> main;
            case DEAD_LETTER -> deadLetter;
            case TRANSFER_DEAD_LETTER -> transferDeadLetter;
            case SCHEDULED -> scheduled;
        };
    }

    public void add(MessageCopy copy) {
        lane(copy.lane).put(copy.number, copy);
        sizeBytes += copy.sizeBytes();
    }

    @Nullable
    public MessageCopy remove(Lane lane, long number) {
        MessageCopy copy = lane(lane).remove(number);
        if (copy != null) {
            sizeBytes -= copy.sizeBytes();
            if (copy.deferred && lane == Lane.MAIN) {
                deferred--;
            }
        }
        return copy;
    }

    /** Whether messages may be sent to it, now or before the batch that is being told. */
    public boolean maySend() {
        return settings.status().allowsSend() || before.status().allowsSend();
    }

    /** Whether messages may be received from it, now or before the batch that is being told. */
    public boolean mayReceive() {
        return settings.status().allowsReceive() || before.status().allowsReceive();
    }

    /** Whether its status forbids something, now or before the batch that is being told. */
    boolean isClosed() {
        return settings.status() != EntityStatus.ACTIVE || before.status() != EntityStatus.ACTIVE;
    }

    /** It is deleted with all that it holds. */
    void clear() {
        for (Lane lane : Lane.values()) {
            for (MessageCopy copy : lane(lane).values()) {
                if (copy.lock != null) {
                    copy.lock.end();
                }
            }
            lane(lane).clear();
        }
        taken.clear();
        perhapsTaken.clear();
    }

    /** Whether it holds nothing. */
    boolean isEmpty() {
        return main.isEmpty() && deadLetter.isEmpty() && transferDeadLetter.isEmpty() && scheduled.isEmpty();
    }
}
