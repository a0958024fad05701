package dev.jitney.core;

/**
 * What a decision knows of the world besides the state.
 *
 * @param nowMs decision time in milliseconds since the epoch, never smaller than in an earlier decision of the shard
 * @param storeAcceptsGrowth whether the store has room for more messages
 * @param rows reads back what was stored
 * @param tokens where new lock tokens come from
 */
public record Situation(long nowMs, boolean storeAcceptsGrowth, RowReader rows, LockTokenSequence tokens) {}
