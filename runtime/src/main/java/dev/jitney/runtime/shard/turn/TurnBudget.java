package dev.jitney.runtime.shard.turn;

/** The limit of a kind of work in each turn of a shard. Work beyond it waits for the next turn. For the shard's thread. */
public interface TurnBudget {

    /** Returns whether the turn has nothing left for this kind of work. */
    boolean isSpent();

    /**
     * Counts a task that has run.
     *
     * @param finished whether the task needs no other turn
     */
    default void ran(boolean finished) {}
}
