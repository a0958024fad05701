package dev.jitney.runtime.shard.turn;

/**
 * The limit of peeks and batch deletes in a turn of a shard. Each of them reads up to about 1 MiB, and then continues in
 * another turn. They have a budget of their own, so that they delay neither topics with rules nor transactions. For the
 * shard's thread.
 */
public final class BrowseBudget implements TurnBudget {
    private static final int PER_TURN = 16;

    /** The share of a task that has read as much as it may: a turn has two of them. */
    private static final int UNFINISHED = PER_TURN / 2;

    private int used;

    /** Begins a turn. */
    public void startTurn() {
        used = 0;
    }

    @Override
    public boolean isSpent() {
        return used >= PER_TURN;
    }

    @Override
    public void ran(boolean finished) {
        used += finished ? 1 : UNFINISHED;
    }
}
