package dev.jitney.runtime.shard.entity;

import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** When which entities want their timers looked at, each at most once. For the shard's thread. */
public final class EntityTimers {
    /** By the time they are armed for, which therefore changes only while they are not in here. */
    private final TreeSet<EntityInShard> armed =
            new TreeSet<>(Comparator.comparingLong((EntityInShard inShard) -> inShard.armedAtMs)
                    .thenComparingLong(inShard -> inShard.entity.id()));

    /** Sets one for the entity's next timer, unless there is an earlier one. */
    public void arm(EntityInShard inShard) {
        long atMs = inShard.nextTimerMs();
        if (atMs < inShard.armedAtMs) {
            disarm(inShard);
            inShard.armedAtMs = atMs;
            armed.add(inShard);
        }
    }

    /** Forgets an entity: one that goes must not stay in memory until its time comes, which may be in years. */
    void disarm(EntityInShard inShard) {
        if (inShard.armedAtMs != Long.MAX_VALUE) {
            armed.remove(inShard);
            inShard.armedAtMs = Long.MAX_VALUE;
        }
    }

    /** When the first one is due, {@link Long#MAX_VALUE} if there is none. */
    public long nextMs() {
        return armed.isEmpty() ? Long.MAX_VALUE : armed.first().armedAtMs;
    }

    /** Takes out one that is due, or null; the entity is to be armed again. */
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
