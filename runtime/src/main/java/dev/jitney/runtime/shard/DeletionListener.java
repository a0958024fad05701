package dev.jitney.runtime.shard;

import dev.jitney.core.Reply;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReplyListener;
import org.jspecify.annotations.Nullable;

/**
 * The listener of a batch delete that may need several turns. If a later part of it is refused, the answer is the number
 * of messages that the earlier parts have deleted (PURGE-1). Thread-safe.
 */
final class DeletionListener implements ReplyListener {
    private final ReplyListener listener;

    /** The number of deleted messages whose deletion is durable. */
    private volatile int durable;

    DeletionListener(ReplyListener listener) {
        this.listener = listener;
    }

    /** Returns the listener for the commit of a part, after which some messages are deleted, those of earlier parts included. */
    ReplyListener part(int removed) {
        return new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                durable = removed;
            }

            @Override
            public void onRejected(Rejection rejection) {
                // The messages are still there.
            }

            @Override
            public boolean allowsDelay() {
                return true;
            }
        };
    }

    @Override
    public void onReply(Reply reply) {
        listener.onReply(reply);
    }

    @Override
    public void onRejected(Rejection rejection) {
        int removed = durable;
        if (removed > 0) {
            listener.onReply(new Reply.Deleted(removed));
        } else {
            listener.onRejected(rejection);
        }
    }

    @Override
    public boolean isAbandoned() {
        return listener.isAbandoned();
    }

    @Override
    public @Nullable Object client() {
        return listener.client();
    }
}
