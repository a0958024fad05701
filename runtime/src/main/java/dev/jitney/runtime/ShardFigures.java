package dev.jitney.runtime;

import dev.jitney.runtime.store.DiskFigures;
import org.jspecify.annotations.Nullable;

/**
 * How one shard and its messaging store are doing. Sums count from the start of the process.
 *
 * @param index the place of the store among the stores, from 0
 * @param mailboxCommands commands that wait for the shard
 * @param mailboxBytes bytes of messages in them
 * @param refusedSends sends refused because too much waited
 * @param trouble what is wrong, a sentence, or null
 * @param stopped whether an operator wants the store to be stopped
 * @param serving whether the store works
 * @param ended whether the shard has stopped for good after a defect, so that only a restart of the process helps
 * @param acceptsGrowth whether its disk has room for more messages
 * @param disk room on its disk, or null if the store is away
 * @param damagedEntities how many of its entities are out of service, though it works, because a row of them is damaged
 * @param failures how often the store failed and the shard had to read its memory anew
 * @param cachedBytes message content kept in memory
 * @param trackedMessages messages kept track of in memory besides locked ones
 * @param commitSeconds how long commits took, those that succeeded
 * @param commitRows rows they put and deleted
 * @param commitBytes bytes they wrote
 * @param commitEffects answers and deliveries that waited for them
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

    /**
     * Values by size class.
     *
     * @param upperBounds ascending and inclusive; one class more is for what is larger
     * @param counts how many values each class has, each value in one class
     * @param sum of all values
     */
    public record Histogram(double[] upperBounds, long[] counts, double sum) {}
}
