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
 * The messages and settings of one fragment of an entity. An ordinary entity has one. A partitioned entity has an
 * additional one for itself, without messages.
 */
public final class StoredEntity {
    public final long entityId;
    public final int fragment;
    public final int store;
    /** The path of the entity; empty until the entity exists. */
    public String path;

    public EntitySettings settings;

    /** The partitioned entity of this fragment, once it exists; null for an ordinary entity. */
    @Nullable
    public StoredEntity whole;

    /** The settings before the current batch. */
    public EntitySettings before;

    private final TreeMap<Long, MessageCopy> main = new TreeMap<>();
    private final TreeMap<Long, MessageCopy> deadLetter = new TreeMap<>();
    private final TreeMap<Long, MessageCopy> transferDeadLetter = new TreeMap<>();
    private final TreeMap<Long, MessageCopy> scheduled = new TreeMap<>();

    /**
     * The time when the fragment applied its last change of settings. {@link #lockMsBefore} is the lock duration in the
     * minute before.
     */
    public long changedMs;

    public long lockMsBefore;

    /** The messages removed for a receive-and-delete receiver in this turn and not delivered yet. */
    public final Map<Long, MessageCopy> taken = new HashMap<>();

    /** The messages that may have been removed for such a receiver, or that have expired with their session. */
    public final Map<Long, MessageCopy> perhapsTaken = new HashMap<>();

    /** The last access, in the working time of the shard in milliseconds. */
    public long usedMs;

    /** True if the broker may have lost the last access. */
    public boolean usedVaguely;

    public long lastNumber;
    public int deferred;
    public int locked;
    public long sizeBytes;
    public int outgoing;
    public boolean gone;

    /** True if the entity was created in the current turn. */
    public boolean fresh = true;

    /** The last row of its totals in the current batch. */
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

    /** A lookup of entities. The simulator spells each path in one way only. */
    public interface Lookup {
        /** Returns the parts of an entity: one, or one for each fragment; an empty list if the entity does not exist. */
        List<StoredEntity> of(String path);

        /** Returns the part of an entity that a sequence number belongs to; null if the entity does not exist. */
        @Nullable
        StoredEntity of(String path, long number);

        /** Returns the part of an entity that has a session; in a partitioned entity, this is a fragment (PART-29). */
        @Nullable
        StoredEntity ofSession(String path, @Nullable String session);

        /** Returns whether a path belongs to a partitioned entity, including one whose fragments are being deleted. */
        boolean isPartitioned(String path);
    }

    public static long key(long entityId, int fragment) {
        return entityId << 16 | fragment;
    }

    /** Returns the entity number and fragment index as one number. */
    public long key() {
        return key(entityId, fragment);
    }

    /** Returns whether this is a fragment of a partitioned entity. */
    public boolean isFragment() {
        return whole != null;
    }

    /** Changes the settings. */
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

    /** Returns whether the status allows sends, now or before the reported batch. */
    public boolean maySend() {
        return settings.status().allowsSend() || before.status().allowsSend();
    }

    /** Returns whether the status allows receives, now or before the reported batch. */
    public boolean mayReceive() {
        return settings.status().allowsReceive() || before.status().allowsReceive();
    }

    /** Returns whether the status forbids an operation, now or before the reported batch. */
    boolean isClosed() {
        return settings.status() != EntityStatus.ACTIVE || before.status() != EntityStatus.ACTIVE;
    }

    /** Removes all messages. */
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

    /** Returns whether there are no messages. */
    boolean isEmpty() {
        return main.isEmpty() && deadLetter.isEmpty() && transferDeadLetter.isEmpty() && scheduled.isEmpty();
    }
}
