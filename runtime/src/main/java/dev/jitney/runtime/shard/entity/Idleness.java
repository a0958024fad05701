package dev.jitney.runtime.shard.entity;

/** The idle time of a temporary entity. For the shard's thread. */
public final class Idleness {
    private final EntityInShard inShard;
    private final Uptime uptime;

    /** The time of creation, or of the last check that found the entity in use without a recorded access. */
    private long inUseAtMs;

    /** @param uptime the times when the shard was down, which do not count */
    public Idleness(EntityInShard inShard, Uptime uptime) {
        this.inShard = inShard;
        this.uptime = uptime;
        this.inUseAtMs = inShard.entity.latest().createdAtMs();
    }

    /** Notes that the entity is in use. The idle time starts again. */
    public void inUse(long nowMs) {
        inUseAtMs = nowMs;
    }

    /** Returns the time of the last use, milliseconds since the epoch. */
    public long sinceMs() {
        // The published accesses of its fragments, in their own shards, count too.
        return Math.max(inUseAtMs, Math.max(inShard.state.accessedAtMs(), inShard.entity.accessedAtMs()));
    }

    /** Returns the time when the entity is deleted if nothing uses it until then. */
    public long dueMs() {
        return uptime.downtimes()
                .end(sinceMs(), inShard.entity.latest().description().autoDeleteOnIdleMs());
    }
}
