package dev.jitney.runtime.shard;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Detects shards whose stores neither work nor fail. Moves their waiting tasks to other fragments where possible,
 * within the 15 seconds that senders to partitioned entities rely on (PART-41). Each shard checks the others. Any
 * thread may call it.
 */
public final class HungShards {
    /** The interval between two checks. */
    static final long PAUSE_MS = 1_000;

    private static final int LETTERS_PER_LOOK = 10_000;

    private final List<Shard> shards;
    private final AtomicLong nextLookMs = new AtomicLong(Long.MIN_VALUE);

    /** @param shards all shards */
    public HungShards(List<Shard> shards) {
        this.shards = shards;
    }

    /** Checks all shards but one, if a check is due. */
    void lookAfterOthers(Shard watcher, long nowMs) {
        long due = nextLookMs.get();
        if (shards.size() > 1 && nowMs >= due && nextLookMs.compareAndSet(due, nowMs + PAUSE_MS)) {
            for (Shard shard : shards) {
                if (shard != watcher && shard.isHung()) {
                    shard.mailbox()
                            .moveOut(
                                    new Rejection(
                                            ErrorCode.SERVER_BUSY,
                                            "Messaging store " + shard.index()
                                                    + " is not responding. Try again later."),
                                    LETTERS_PER_LOOK);
                }
            }
        }
    }
}
