package dev.jitney.runtime;

import dev.jitney.runtime.store.DiskFigures;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one shard and its messaging store. Sums count from the start of the process.
 *
 * @param index           the index of the store, from 0
 * @param mailboxCommands commands that wait for the shard
 * @param mailboxBytes    bytes of messages in these commands
 * @param refusedSends    sends refused because too many commands waited
 * @param trouble         a sentence about the current problem, or null
 * @param stopped         whether an operator has stopped the store
 * @param serving         whether the store works
 * @param ended           whether the shard has ended after an internal error; only a restart of the process helps
 * @param acceptsGrowth   whether its disk has room for more messages
 * @param disk            free space on its disk, or null if the store is not available
 * @param damagedEntities number of its entities that are unavailable because a row of them is corrupt although the
 *                        store works
 * @param failures        how often the store failed and the shard reloaded its state
 * @param cachedBytes     bytes of message content in memory
 * @param trackedMessages messages tracked in memory, in addition to locked messages
 * @param commitSeconds   durations of successful commits
 * @param commitRows      rows put and deleted by each commit
 * @param commitBytes     bytes written by each commit
 * @param commitEffects   answers and deliveries that waited for each commit
 */
public record ShardFigures(
        int index,
        int mailboxCommands,
        long mailboxBytes,
        long refusedSends,
        @Nullable String trouble,
        boolean stopped,
        boolean serving,
        boolean ended,
        boolean acceptsGrowth,
        @Nullable DiskFigures disk,
        int damagedEntities,
        long failures,
        long cachedBytes,
        long trackedMessages,
        Histogram commitSeconds,
        Histogram commitRows,
        Histogram commitBytes,
        Histogram commitEffects) {

    /** Returns the state of the store in a word for operators: {@code serving}, {@code stopped} or {@code failed}. */
    public String state() {
        return serving ? "serving" : stopped ? "stopped" : "failed";
    }

    /**
     * A histogram: the number of values in each size class.
     *
     * @param upperBounds ascending and inclusive; one more class holds all larger values
     * @param counts      the number of values in each class; each value is in one class
     * @param sum         the sum of all values
     */
    public record Histogram(double[] upperBounds, long[] counts, double sum) {}
}
