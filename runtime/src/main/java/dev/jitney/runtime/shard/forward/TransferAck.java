package dev.jitney.runtime.shard.forward;

import dev.jitney.model.Rejection;
import dev.jitney.runtime.rows.StoreRowReader.OutboxLane;
import dev.jitney.runtime.shard.turn.ShardTask;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a {@link TransferBatch}.
 *
 * @param done how many transfers the destination has stored, in order, before a failure
 */
record TransferAck(
        Outbox source,
        OutboxLane key,
        long batch,
        int done,
        @Nullable Rejection failure) implements ShardTask {

    @Override
    public void run() {
        source.acknowledged(key, batch, done, failure);
    }

    @Override
    public void refuse(Rejection reason) {
        // The shard reloads its outbox when it works again.
    }
}
