package dev.jitney.runtime.shard.entity;

/** Since when an entity is idle that goes away then. For the shard's thread. */
public final class Idleness {
    private final EntityInShard inShard;
    private final Uptime uptime;

    /** When it was created, or was last seen to be in use without an access that would tell. */
    private long inUseAtMs;

    /** @param uptime tells which time counts */
    public Idleness(EntityInShard inShard, Uptime uptime) {
        this.inShard = inShard;
        this.uptime = uptime;
        this.inUseAtMs = inShard.entity.latest().createdAtMs();
    }

    /** It is in use now: the count starts anew. */
    public void inUse(long nowMs) {
        inUseAtMs = nowMs;
    }

    /** When it was used last, milliseconds since the epoch. */
    public long sinceMs() {
        // What its fragments, in their shards, have shown of themselves counts too.
        return Math.max(inUseAtMs, Math.max(inShard.state.accessedAtMs(), inShard.entity.accessedAtMs()));
    }

    /** When it is to go if nobody uses it until then. */
    public long dueMs() {
        return uptime.downtimes()
                .end(sinceMs(), inShard.entity.latest().description().autoDeleteOnIdleMs());
    }
}
