package dev.jitney.runtime;

import dev.jitney.core.Reply;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A change to the entities of a shard, on its way there. Whoever asked for it hears of it once it is durable, or why it is
 * not made. Any thread may send one.
 */
final class ChangeLetter implements Mailbox.Letter {
    private final Change change;
    private final Runnable onDone;
    private final CompletableFuture<?> done;

    /** What the shard is to do; null to have it committed, or why not. */
    @FunctionalInterface
    interface Change {
        @Nullable
        Rejection make(ShardWork shard);
    }

    private ChangeLetter(Change change, Runnable onDone, CompletableFuture<?> done) {
        this.change = change;
        this.onDone = onDone;
        this.done = done;
    }

    /** @param onDone called once the change is durable; {@code done} fails otherwise */
    static void send(Shard shard, Change change, Runnable onDone, CompletableFuture<?> done) {
        shard.mailbox().put(new ChangeLetter(change, onDone, done));
    }

    /** Completes once the change is durable, or fails. */
    static CompletableFuture<Void> send(Shard shard, Change change) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        send(shard, change, () -> done.complete(null), done);
        return done;
    }

    /** What is known to fail without asking a shard. */
    static <T> CompletionStage<T> refused(Rejection reason) {
        return CompletableFuture.failedFuture(new BrokerException(reason));
    }

    @Override
    public void open(ShardWork owner) {
        try {
            Rejection refusal = change.make(owner);
            if (refusal == null) {
                owner.afterCommit(new ReplyListener() {
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
            throw e; // the shard starts anew from its store
        }
    }

    @Override
    public void refuse(Rejection reason) {
        done.completeExceptionally(new BrokerException(reason));
    }
}
