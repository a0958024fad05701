package dev.jitney.runtime.shard.entity;

import dev.jitney.core.idle.Downtimes;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import org.jspecify.annotations.Nullable;

/**
 * The times when a shard was in use and when it was not, over its starts and the failures of its store (IDLE-14). It is in use from a
 * turn on until it is stopped, killed or fails; what a killed one has done since it last wrote that it was alive counts as
 * downtime, so that nothing goes too early. For the shard's thread.
 */
public final class Uptime {
    private final StoreRowReader reader;
    private final StoreRowWriter writer;
    private Downtimes downtimes = Downtimes.NONE;

    /** What the store has of them; null if that is not certain. */
    private @Nullable Downtimes written = Downtimes.NONE;

    /** When it was in use last, if it is not now or has not noticed yet; else null. */
    private @Nullable Long downSinceMs;

    public Uptime(StoreRowReader reader, StoreRowWriter writer) {
        this.reader = reader;
        this.writer = writer;
    }

    /**
     * Takes over what the store knows, before the shard runs. If it does not know when the shard was in use, because there
     * were no temporary entities or the version before this one did not serve them, no time before now counts as idleness.
     */
    public void load() {
        downtimes = reader.downtimes();
        written = downtimes;
        Long aliveMs = reader.aliveMs();
        downSinceMs = aliveMs == null ? 0 : aliveMs;
    }

    /** The store has failed. */
    public void fail(long nowMs) {
        if (downSinceMs == null) {
            downSinceMs = nowMs;
        }
        written = null;
    }

    /** A turn begins; returns whether it is the first one after a start or a failure. */
    public boolean resume(long nowMs) {
        if (downSinceMs == null) {
            return false;
        }
        downtimes = downtimes.and(downSinceMs, nowMs);
        downSinceMs = null;
        return true;
    }

    /** Has the store know the downtimes, without those that nobody asks for who was used after a time. */
    public void writeDowntimes(long usedSinceMs) {
        downtimes = downtimes.after(usedSinceMs);
        if (!downtimes.equals(written)) {
            writer.putDowntimes(downtimes);
            written = downtimes;
        }
    }

    /** Has the store know that the shard is in use. */
    public void writeAlive(long nowMs) {
        writer.putAlive(nowMs);
    }

    Downtimes downtimes() {
        return downtimes;
    }
}
