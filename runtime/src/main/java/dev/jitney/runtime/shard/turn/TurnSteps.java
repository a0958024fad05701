package dev.jitney.runtime.shard.turn;

import java.util.function.LongConsumer;

/**
 * The cost of rules of topics in the turn of a shard, in the steps of {@link dev.jitney.core.filter.StepBudget}. When
 * the steps of a turn are spent, messages that have yet to be judged wait for the next turn, so that the other entities of
 * the shard go on. For the shard's thread.
 */
public final class TurnSteps implements LongConsumer {
    /** A turn that has used as many judges nothing more; the message that crosses the line may use its own budget. */
    public static final long PER_TURN = 10_000_000;

    private long used;

    /** A turn begins. */
    public void startTurn() {
        used = 0;
    }

    @Override
    public void accept(long steps) {
        used += steps;
    }

    /** Steps that were used in this turn. */
    public long used() {
        return used;
    }

    /** Whether the turn has no steps left, so that work which can wait for another turn has to. */
    public boolean isSpent() {
        return used >= PER_TURN;
    }
}
