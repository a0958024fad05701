package dev.jitney.runtime.shard.entity;

import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The timers of a shard's entities, at most one for each entity. For the shard's thread. */
public final class EntityTimers {
    /** The entities by the time of their timers. That time changes only while the entity is not in this set. */
    private final TreeSet<EntityInShard> armed =
            new TreeSet<>(Comparator.comparingLong((EntityInShard inShard) -> inShard.armedAtMs)
                    .thenComparingLong(inShard -> inShard.entity.id()));

    /** Sets a timer for the next timer time of an entity, unless an earlier one is set. */
    public void arm(EntityInShard inShard) {
        long atMs = inShard.nextTimerMs();
        if (atMs < inShard.armedAtMs) {
            disarm(inShard);
            inShard.armedAtMs = atMs;
            armed.add(inShard);
        }
    }

    /**
     * Removes the timer of an entity. A deleted entity must not stay in memory until its timer, which may be years
     * away.
     */
    void disarm(EntityInShard inShard) {
        if (inShard.armedAtMs != Long.MAX_VALUE) {
            armed.remove(inShard);
            inShard.armedAtMs = Long.MAX_VALUE;
        }
    }

    /** Returns the time of the first timer, or {@link Long#MAX_VALUE}. */
    public long nextMs() {
        return armed.isEmpty() ? Long.MAX_VALUE : armed.first().armedAtMs;
    }

    /** Removes and returns an entity whose timer is due, or null. The caller must arm it again. */
    public @Nullable EntityInShard pollDue(long nowMs) {
        if (nextMs() > nowMs) {
            return null;
        }
        EntityInShard inShard = armed.first();
        disarm(inShard);
        return inShard;
    }

    void clear() {
        armed.clear();
    }
}
