package dev.jitney.runtime.shard;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Looks after shards whose stores neither work nor fail: what waits for one and may go to another fragment is sent there, within
 * the 15 seconds in which senders of partitioned entities count on it (PART-41). Each shard looks after the others; any thread
 * may call it.
 */
public final class HungShards {
    /** How often somebody looks. */
    static final long PAUSE_MS = 1_000;

    private static final int LETTERS_PER_LOOK = 10_000;

    private final List<Shard> shards;
    private final AtomicLong nextLookMs = new AtomicLong(Long.MIN_VALUE);

    /** @param shards all of them */
    public HungShards(List<Shard> shards) {
        this.shards = shards;
    }

    /** Looks after all shards but one, if it is time to. */
    void lookAfterOthers(Shard watcher, long nowMs) {
        long due = nextLookMs.get();
        if (shards.size() > 1 && nowMs >= due && nextLookMs.compareAndSet(due, nowMs + PAUSE_MS)) {
            for (Shard shard : shards) {
                if (shard != watcher && shard.isHung()) {
                    shard.mailbox()
                            .moveOut(
                                    new Rejection(
                                            ErrorCode.SERVER_BUSY,
                                            "Messaging store " + shard.index() + " has not answered for long."),
                                    LETTERS_PER_LOOK);
                }
            }
        }
    }
}
