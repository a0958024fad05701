package dev.jitney.runtime.shard.forward;

import dev.jitney.core.Transfer;
import dev.jitney.runtime.rows.StoreRowReader.OutboxLane;
import java.util.List;

/** The waiting transfers from one source to one destination. For the shard's thread. */
final class TransferLane {
    final OutboxLane key;
    long waiting;

    /** A lower bound for the numbers of the waiting transfers. */
    long from;

    /** The number of the batch in flight, 0 if there is none. */
    long batch;

    /** The transfers of that batch. */
    List<Transfer> inFlight = List.of();

    long pauseMs;
    long resumeAtMs;

    TransferLane(OutboxLane key) {
        this.key = key;
    }
}
