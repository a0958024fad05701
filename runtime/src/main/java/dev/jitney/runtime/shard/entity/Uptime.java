package dev.jitney.runtime.shard.entity;

import dev.jitney.core.idle.Downtimes;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import org.jspecify.annotations.Nullable;

/**
 * The times when a shard was up and when it was down, across restarts and failures of its store (IDLE-14). It is up
 * from a turn until it is stopped, killed or fails. If it is killed, the time since the last write of {@code alive}
 * counts as downtime, so no entity is deleted too early. For the shard's thread.
 */
public final class Uptime {
    private final StoreRowReader reader;
    private final StoreRowWriter writer;
    private Downtimes downtimes = Downtimes.NONE;

    /** The stored downtimes; null if they are not certain. */
    private @Nullable Downtimes written = Downtimes.NONE;

    /** The time of the last use before a downtime that the next turn ends; null while the shard is up. */
    private @Nullable Long downSinceMs;

    public Uptime(StoreRowReader reader, StoreRowWriter writer) {
        this.reader = reader;
        this.writer = writer;
    }

    /**
     * Loads the stored times, before the shard runs. If there are none, no time before now counts as idle time. That is
     * so if there were no temporary entities, or an older version did not support them.
     */
    public void load() {
        downtimes = reader.downtimes();
        written = downtimes;
        Long aliveMs = reader.aliveMs();
        downSinceMs = aliveMs == null ? 0 : aliveMs;
    }

    /** Notes that the store has failed. */
    public void fail(long nowMs) {
        if (downSinceMs == null) {
            downSinceMs = nowMs;
        }
        written = null;
    }

    /** Begins a turn. Returns whether it is the first one after a start or a failure. */
    public boolean resume(long nowMs) {
        if (downSinceMs == null) {
            return false;
        }
        downtimes = downtimes.and(downSinceMs, nowMs);
        downSinceMs = null;
        return true;
    }

    /** Writes the downtimes, without those that end before {@code usedSinceMs}. */
    public void writeDowntimes(long usedSinceMs) {
        downtimes = downtimes.after(usedSinceMs);
        if (!downtimes.equals(written)) {
            writer.putDowntimes(downtimes);
            written = downtimes;
        }
    }

    /** Writes the time until which the shard is known to be up. */
    public void writeAlive(long nowMs) {
        writer.putAlive(nowMs);
    }

    Downtimes downtimes() {
        return downtimes;
    }
}
