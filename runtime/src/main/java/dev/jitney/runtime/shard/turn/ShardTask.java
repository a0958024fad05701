package dev.jitney.runtime.shard.turn;

import dev.jitney.model.Rejection;
import org.jspecify.annotations.Nullable;

/**
 * A task for a shard. Any thread may create it and put it into the {@link Mailbox} of the shard. It runs on the shard's
 * thread, using a part of that shard. Exactly one of {@link #run}, {@link #resume} and {@link #refuse} ends it.
 */
public interface ShardTask {

    /** Returns whether it adds messages, so that it must be refused when the disk is full. */
    default boolean needsCapacity() {
        return false;
    }

    /** Returns the bytes of messages in it. */
    default long messageBytes() {
        return 0;
    }

    /**
     * Returns whether it may be {@linkplain #refuse refused} at any time, because its sender can then use another
     * fragment.
     */
    default boolean isMovable() {
        return false;
    }

    /**
     * Returns the key of tasks that must stay in order with this one, if its work may need another turn ({@link
     * PostponedTasks}). Returns null if the task always completes in one turn. On the shard's thread.
     */
    default @Nullable Object lane() {
        return null;
    }

    /** Returns whether it reads many messages for a client, so that the {@link BrowseBudget} bounds it. */
    default boolean isBrowsing() {
        return false;
    }

    /** Runs the task. On the shard's thread. */
    void run();

    /**
     * Runs or continues the task, as far as the budget of the turn allows. On the shard's thread.
     *
     * @return whether it is finished; if not, it must be called again in another turn
     */
    default boolean resume() {
        run();
        return true;
    }

    /** Refuses the task, because the shard is closed or has failed. */
    void refuse(Rejection reason);
}
