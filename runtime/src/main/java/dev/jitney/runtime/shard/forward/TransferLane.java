package dev.jitney.runtime.shard.forward;

import dev.jitney.core.Transfer;
import dev.jitney.runtime.rows.StoreRowReader.OutboxLane;
import java.util.List;

/** One way from a source to a destination, with the transfers that wait in it. For the shard's thread. */
final class TransferLane {
    final OutboxLane key;
    long waiting;

    /** No transfer waits that has a smaller number. */
    long from;

    /** The number of the batch under way, 0 if there is none. */
    long batch;

    /** The transfers of that batch. */
    List<Transfer> inFlight = List.of();

    long pauseMs;
    long resumeAtMs;

    TransferLane(OutboxLane key) {
        this.key = key;
    }
}
