package dev.jitney.runtime.shard.forward;

import dev.jitney.core.Transfer;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.rows.StoreRowReader.OutboxLane;
import dev.jitney.runtime.shard.turn.Mailbox;
import dev.jitney.runtime.shard.turn.ShardTask;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some transfers of one lane on their way; the destination's shard takes them and answers once.
 *
 * @param key source and destination
 * @param number tells this batch from others of the lane
 * @param destination that of the shard that hosts the destination
 * @param source the outbox that waits for the answer
 * @param home where the answer goes
 */
record TransferBatch(
        OutboxLane key, long number, List<Transfer> transfers, Inbox destination, Outbox source, Mailbox home)
        implements ShardTask {

    @Override
    public long messageBytes() {
        return transfers.stream().mapToLong(Transfer::sizeBytes).sum();
    }

    @Override
    public @Nullable Object lane() {
        return destination.judgesByRules(key.destinationId()) ? key : null;
    }

    @Override
    public void run() {
        destination.take(this);
    }

    @Override
    public void refuse(Rejection reason) {
        acknowledge(0, Rejection.of(ErrorCode.SERVER_BUSY));
    }

    /** @param done how many of the transfers the destination has, all in order before a failure */
    void acknowledge(int done, @Nullable Rejection failure) {
        home.put(new TransferAck(source, key, number, done, failure));
    }
}
