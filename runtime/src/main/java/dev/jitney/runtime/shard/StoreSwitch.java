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
 * The state that an operator requests for one store: serving, or stopped as if its disk had failed. Any thread may set
 * it; the shard's thread applies it and confirms. The request ends with the process.
 */
final class StoreSwitch {
    private boolean ended;
    private List<CompletableFuture<Void>> waiting = new ArrayList<>();

    // Read in every turn, changed under the lock.
    private volatile boolean stopped;
    private volatile boolean watched;

    /** @return completes when the shard has applied the request, or fails if the shard has stopped */
    synchronized CompletionStage<Void> turn(boolean stop) {
        CompletableFuture<Void> followed = new CompletableFuture<>();
        if (ended) {
            followed.completeExceptionally(
                    new BrokerException(new Rejection(ErrorCode.SERVER_BUSY, "The shard has stopped.")));
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
     * Confirms that the shard has applied a request.
     *
     * @param stop the applied request; a newer one is applied in the next turn
     */
    void followed(boolean stop) {
        if (watched) {
            finish(stop, null);
        }
    }

    /** Fails all pending and future requests, because the shard has stopped. */
    void end() {
        finish(null, new BrokerException(new Rejection(ErrorCode.SERVER_BUSY, "The shard has stopped.")));
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
