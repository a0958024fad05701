package dev.jitney.runtime;

import dev.jitney.core.Reply;
import dev.jitney.model.Rejection;
import org.jspecify.annotations.Nullable;

/**
 * Receives the answer to one command. Exactly one method is called, exactly once, on the executor given with the
 * command, after everything that the answer depends on is durable.
 */
public interface ReplyListener {

    void onReply(Reply reply);

    void onRejected(Rejection rejection);

    /**
     * Returns whether the answer to a settlement may be delayed by some milliseconds, because no caller waits for it.
     * The shard then commits the settlement together with later commands.
     */
    default boolean allowsDelay() {
        return false;
    }

    /**
     * Returns whether no caller waits for the answer any more, so that a long peek or batch delete may end early. Any
     * thread may call it.
     */
    default boolean isAbandoned() {
        return false;
    }

    /**
     * Returns an object that stands for the client that waits for the answer, such as a connection, or null if it is not known. Long
     * peeks, lists and batch deletes of one client take turns with those of other clients as if they were one. Any thread may call it.
     */
    default @Nullable Object client() {
        return null;
    }

    /** For commands whose answer is not needed. */
    ReplyListener IGNORE = new ReplyListener() {
        @Override
        public void onReply(Reply reply) {}

        @Override
        public void onRejected(Rejection rejection) {}
    };
}
