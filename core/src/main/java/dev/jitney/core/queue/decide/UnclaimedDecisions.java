package dev.jitney.core.queue.decide;

import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.Situation;
import dev.jitney.core.queue.LockView;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.ReceiverView;
import dev.jitney.model.SubQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/**
 * The unclaimed locks of a fragment: their messages were fetched for a connection that has not requested them yet
 * (PART-13). They end without counting a failed delivery, and immediately if another receiver waits for a message
 * (PART-60).
 */
final class UnclaimedDecisions {
    private static final SubQueue[] SUB_QUEUES = SubQueue.values();

    private UnclaimedDecisions() {}

    /** Returns whether receivers of a lane have credit for more messages than are available. */
    static boolean isStarved(QueueView queue) {
        for (SubQueue subQueue : SUB_QUEUES) {
            if (missing(queue, Lane.of(subQueue)) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns unclaimed locks of messages that other receivers need, no more than needed. */
    static List<UUID> wantedElsewhere(QueueView queue, Collection<UUID> unclaimed) {
        List<UUID> wanted = new ArrayList<>();
        for (SubQueue subQueue : SUB_QUEUES) {
            Lane lane = Lane.of(subQueue);
            long missing = missing(queue, lane);
            if (missing > 0) {
                unclaimed.stream()
                        .map(queue::lock)
                        .filter(lock -> lock != null && lock.lane() == lane && lock.transactionId() == 0)
                        .filter(lock -> isWantedByOthers(queue, lock))
                        .sorted(Comparator.comparingLong(lock -> lock.message().sequenceNumber()))
                        .limit(missing)
                        .forEach(lock -> wanted.add(lock.token()));
            }
        }
        return wanted;
    }

    /** Returns by how many messages the credit of the receivers of a lane exceeds the available messages. */
    private static long missing(QueueView queue, Lane lane) {
        Collection<? extends ReceiverView> waiting = queue.waitingReceivers(lane);
        if (waiting.isEmpty()
                || (lane == Lane.MAIN && queue.sessions() != null)
                || !queue.description().status().allowsReceive()
                || queue.hasMoreInStore(lane)) {
            return 0;
        }
        long demand = 0;
        for (ReceiverView receiver : waiting) {
            demand += receiver.demand();
        }
        return demand - queue.availableCount(lane);
    }

    private static boolean isWantedByOthers(QueueView queue, LockView lock) {
        for (ReceiverView receiver : queue.waitingReceivers(lock.lane())) {
            if (receiver.id() != lock.receiverId() && receiver.demand() > 0) {
                return true;
            }
        }
        return false;
    }

    static List<Record> release(QueueView queue, Collection<UUID> tokens, Situation now) {
        List<Record> records = new ArrayList<>(tokens.size());
        for (UUID token : tokens) {
            LockView lock = queue.lock(token);
            if (lock != null && lock.transactionId() == 0) {
                records.add(FailedDelivery.released(queue, lock, now));
            }
        }
        return records;
    }
}
