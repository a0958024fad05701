package dev.jitney.runtime.shard.turn;

import java.util.function.LongConsumer;

/**
 * The cost of topic rules in a turn of a shard, in the steps of {@link dev.jitney.core.filter.StepBudget}. When the
 * steps of a turn are spent, further messages wait for the next turn, so that other entities of the shard are not
 * delayed. For the shard's thread.
 */
public final class TurnSteps implements LongConsumer, TurnBudget {
    /** The limit of steps in a turn. The message that exceeds it may still use its own budget. */
    public static final long PER_TURN = 10_000_000;

    private long used;

    /** Begins a turn. */
    public void startTurn() {
        used = 0;
    }

    @Override
    public void accept(long steps) {
        used += steps;
    }

    /** Returns the steps used in this turn. */
    public long used() {
        return used;
    }

    @Override
    public boolean isSpent() {
        return used >= PER_TURN;
    }
}
