package dev.jitney.runtime.shard;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.BrokerException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The wish of an operator for one store: to serve, or to be stopped as if its disk had gone. Any thread switches, the shard's
 * thread follows and says so. The wish ends with the process.
 */
final class StoreSwitch {
    private boolean ended;
    private List<CompletableFuture<Void>> waiting = new ArrayList<>();

    // Looked at in every turn, changed under the lock.
    private volatile boolean stopped;
    private volatile boolean watched;

    /** @return completes when the shard has followed; at once if there is nothing to follow any more */
    synchronized CompletionStage<Void> turn(boolean stop) {
        CompletableFuture<Void> followed = new CompletableFuture<>();
        if (ended) {
            followed.completeExceptionally(
                    new BrokerException(new Rejection(ErrorCode.SERVER_BUSY, "The shard has ended.")));
        } else {
            stopped = stop;
            waiting.add(followed);
            watched = true;
        }
        return followed;
    }

    boolean isStopped() {
        return stopped;
    }

    /**
     * The shard has followed.
     *
     * @param stop what it has followed; a wish that has changed meanwhile is followed in the next turn
     */
    void followed(boolean stop) {
        if (watched) {
            finish(stop, null);
        }
    }

    /** The shard will follow no more. */
    void end() {
        finish(null, new BrokerException(new Rejection(ErrorCode.SERVER_BUSY, "The shard has ended.")));
    }

    private void finish(@Nullable Boolean stop, @Nullable BrokerException failure) {
        List<CompletableFuture<Void>> done;
        synchronized (this) {
            if (stop != null && stop != stopped) {
                return;
            }
            ended |= failure != null;
            watched = false;
            done = waiting;
            waiting = new ArrayList<>();
        }
        for (CompletableFuture<Void> one : done) {
            if (failure == null) {
                one.complete(null);
            } else {
                one.completeExceptionally(failure);
            }
        }
    }
}
