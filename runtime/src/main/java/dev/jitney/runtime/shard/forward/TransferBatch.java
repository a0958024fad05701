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
 * Transfers of one lane in flight. The destination's shard stores them and answers once.
 *
 * @param key source and destination
 * @param number identifies this batch among those of the lane
 * @param destination the inbox of the shard that hosts the destination
 * @param source the outbox that waits for the answer
 * @param home the mailbox for the answer
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

    /** @param done how many transfers the destination has stored, in order, before a failure */
    void acknowledge(int done, @Nullable Rejection failure) {
        home.put(new TransferAck(source, key, number, done, failure));
    }
}
