package dev.jitney.runtime.shard.turn;

import dev.jitney.model.Rejection;
import org.jspecify.annotations.Nullable;

/**
 * Something for a shard to do on its thread. It is made on any thread and put into the {@link Mailbox} of the shard; it knows the
 * worker of that shard that does it. Exactly one of {@link #run}, {@link #resume} and {@link #refuse} ends it.
 */
public interface ShardTask {

    /** Whether it adds messages, so that a full disk concerns it. */
    default boolean needsCapacity() {
        return false;
    }

    /** Bytes of messages in it. */
    default long messageBytes() {
        return 0;
    }

    /** Whether it may be {@linkplain #refuse refused} at any time, because it goes elsewhere then. */
    default boolean isMovable() {
        return false;
    }

    /**
     * The key of the tasks it has to be done in order with, if its work may have to wait for another turn of the shard ({@link
     * PostponedTasks}); null if it is done when its turn comes. On the shard's thread.
     */
    default @Nullable Object lane() {
        return null;
    }

    /** Does it. On the shard's thread. */
    void run();

    /**
     * Does it, or goes on with it, as far as the steps of the turn go. On the shard's thread.
     *
     * @return whether it is done; if not, it is to be called again in another turn
     */
    default boolean resume() {
        run();
        return true;
    }

    /** The shard is closed or failed and will not do it. */
    void refuse(Rejection reason);
}
