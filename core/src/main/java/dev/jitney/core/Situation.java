package dev.jitney.core;

/**
 * The input of a decision besides the state.
 *
 * @param nowMs decision time in milliseconds since the epoch, never smaller than in an earlier decision of the shard
 * @param storeAcceptsGrowth whether the store has space for more messages
 * @param rows reads stored rows
 * @param tokens the source of new lock tokens
 */
public record Situation(long nowMs, boolean storeAcceptsGrowth, RowReader rows, LockTokenSequence tokens) {

    /** Returns the same situation at another time, for decisions that are not applied. */
    public Situation at(long otherMs) {
        return new Situation(otherMs, storeAcceptsGrowth, rows, tokens);
    }
}
