package dev.jitney.runtime.shard;

import dev.jitney.runtime.ShardFigures;
import dev.jitney.runtime.shard.turn.Mailbox;
import dev.jitney.runtime.store.DiskFigures;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The measurements of a shard and its store. The shard's thread writes, any thread may read. */
final class ShardMeter {
    private final Distribution commitNanos = new Distribution(
            1e-9, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10);

    private final Distribution commitRows =
            new Distribution(1, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000);
    private final Distribution commitBytes =
            new Distribution(1, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216);
    private final Distribution commitEffects = new Distribution(1, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000);
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong cachedBytes = new AtomicLong();
    private final AtomicLong trackedMessages = new AtomicLong();

    void committed(long nanos, int rows, long bytes, int effects) {
        commitNanos.record(nanos);
        commitRows.record(rows);
        commitBytes.record(bytes);
        commitEffects.record(effects);
    }

    void failed() {
        failures.incrementAndGet();
    }

    void memory(long contentBytes, long messages) {
        cachedBytes.lazySet(contentBytes);
        trackedMessages.lazySet(messages);
    }

    ShardFigures figures(
            int index,
            Mailbox mailbox,
            @Nullable String trouble,
            boolean stopped,
            boolean serving,
            boolean ended,
            boolean acceptsGrowth,
            @Nullable DiskFigures disk,
            int damagedEntities) {
        return new ShardFigures(
                index,
                mailbox.count(),
                mailbox.bytes(),
                mailbox.refused(),
                trouble,
                stopped,
                serving,
                ended,
                acceptsGrowth,
                disk,
                damagedEntities,
                failures.get(),
                cachedBytes.get(),
                trackedMessages.get(),
                commitNanos.figures(),
                commitRows.figures(),
                commitBytes.figures(),
                commitEffects.figures());
    }
}
