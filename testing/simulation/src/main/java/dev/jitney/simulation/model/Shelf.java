package dev.jitney.simulation.model;

import dev.jitney.core.Lane;
import dev.jitney.model.EntityStatus;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one fragment of an entity holds; an ordinary entity has one. A partitioned entity has one more for itself, which holds
 * nothing.
 */
final class Shelf {
    final long entityId;
    final int fragment;
    final int store;
    /** That of its entity; nothing while that is not there yet. */
    String path;

    Settings settings;

    /** The partitioned entity that this is a fragment of, once that is there; null for an ordinary one. */
    @Nullable
    Shelf whole;

    /** The settings before the batch that is being judged. */
    Settings before;

    private final TreeMap<Long, Copy> main = new TreeMap<>();
    private final TreeMap<Long, Copy> deadLetter = new TreeMap<>();
    private final TreeMap<Long, Copy> transferDeadLetter = new TreeMap<>();
    private final TreeMap<Long, Copy> scheduled = new TreeMap<>();

    /** When its settings changed last, as far as the fragment knows, and how long locks were in the minute before. */
    long changedMs;

    long lockMsBefore;

    /** Messages a receiver that takes them for good has taken in this turn, but not heard of. */
    final Map<Long, Copy> taken = new HashMap<>();

    /** Messages that may have been taken so, or have expired with their session. */
    final Map<Long, Copy> perhapsTaken = new HashMap<>();

    /** When it was used last, in the time its shard has worked. */
    long usedMs;

    /** Whether the broker may not know of all of that any more. */
    boolean usedVaguely;

    long lastNumber;
    int deferred;
    int locked;
    long sizeBytes;
    int outgoing;
    boolean gone;

    /** Whether it was created in the turn that is under way. */
    boolean fresh = true;

    /** The last row of its totals in the batch that is being judged. */
    RowBytes.@Nullable Totals written;

    boolean touched;

    Shelf(long entityId, int fragment, String path, Settings settings) {
        this.entityId = entityId;
        this.fragment = fragment;
        this.store = (int) (entityId >>> 24);
        this.path = path;
        this.settings = settings;
        this.before = settings;
    }

    /** Entity and fragment as one number. */
    long key() {
        return Shelves.key(entityId, fragment);
    }

    /** Whether it is a fragment of a partitioned entity. */
    boolean isPart() {
        return whole != null;
    }

    /** Its settings change. */
    void change(Settings changed, long nowMs) {
        before = settings;
        lockMsBefore = Math.max(settings.lockMs(), changedMs + Lock.MAX_MS > nowMs ? lockMsBefore : 0);
        changedMs = nowMs;
        settings = changed;
    }

    TreeMap<Long, Copy> lane(Lane lane) {
        return switch (lane) {
            case MAIN -> main;
            case DEAD_LETTER -> deadLetter;
            case TRANSFER_DEAD_LETTER -> transferDeadLetter;
            case SCHEDULED -> scheduled;
        };
    }

    void add(Copy copy) {
        lane(copy.lane).put(copy.number, copy);
        sizeBytes += copy.sizeBytes();
    }

    @Nullable
    Copy remove(Lane lane, long number) {
        Copy copy = lane(lane).remove(number);
        if (copy != null) {
            sizeBytes -= copy.sizeBytes();
            if (copy.deferred && lane == Lane.MAIN) {
                deferred--;
            }
        }
        return copy;
    }

    /** Whether messages may be sent to it, now or before the batch that is being told. */
    boolean maySend() {
        return settings.status().allowsSend() || before.status().allowsSend();
    }

    /** Whether messages may be received from it, now or before the batch that is being told. */
    boolean mayReceive() {
        return settings.status().allowsReceive() || before.status().allowsReceive();
    }

    /** Whether its status forbids something, now or before the batch that is being told. */
    boolean isClosed() {
        return settings.status() != EntityStatus.ACTIVE || before.status() != EntityStatus.ACTIVE;
    }

    /** It is deleted with all that it holds. */
    void clear() {
        for (Lane lane : Lane.values()) {
            for (Copy copy : lane(lane).values()) {
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
