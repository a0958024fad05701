package dev.jitney.runtime.shard;

import dev.jitney.core.Reply;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.shard.turn.Effects;
import dev.jitney.runtime.shard.turn.ShardTask;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A task that changes the entities of a shard. Its future completes once the change is durable, or fails with the
 * reason for the refusal. Any thread may send one.
 */
public final class ChangeTask implements ShardTask {
    private final EntityLifecycle lifecycle;
    private final Effects effects;
    private final Change change;
    private final Runnable onDone;
    private final CompletableFuture<?> done;

    /** The change itself. Returns null to have it committed, or the reason for a refusal. */
    @FunctionalInterface
    public interface Change {
        @Nullable
        Rejection make(EntityLifecycle shard);
    }

    private ChangeTask(Shard shard, Change change, Runnable onDone, CompletableFuture<?> done) {
        this.lifecycle = shard.lifecycle();
        this.effects = shard.effects();
        this.change = change;
        this.onDone = onDone;
        this.done = done;
    }

    /** @param onDone called once the change is durable; {@code done} fails otherwise */
    public static void send(Shard shard, Change change, Runnable onDone, CompletableFuture<?> done) {
        shard.mailbox().put(new ChangeTask(shard, change, onDone, done));
    }

    /** Sends a change. The returned future completes once the change is durable, or fails. */
    public static CompletableFuture<Void> send(Shard shard, Change change) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        send(shard, change, () -> done.complete(null), done);
        return done;
    }

    @Override
    public void run() {
        try {
            Rejection refusal = change.make(lifecycle);
            if (refusal == null) {
                effects.afterCommit(new ReplyListener() {
                    @Override
                    public void onReply(Reply reply) {
                        onDone.run();
                    }

                    @Override
                    public void onRejected(Rejection rejection) {
                        refuse(rejection);
                    }
                });
            } else {
                refuse(refusal);
            }
        } catch (RuntimeException e) {
            refuse(Rejection.of(ErrorCode.INTERNAL));
            throw e; // the shard reloads its state from the store
        }
    }

    @Override
    public void refuse(Rejection reason) {
        done.completeExceptionally(new BrokerException(reason));
    }
}
