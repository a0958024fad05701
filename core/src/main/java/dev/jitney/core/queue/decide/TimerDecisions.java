package dev.jitney.core.queue.decide;

import dev.jitney.core.Decision;
import dev.jitney.core.Lane;
import dev.jitney.core.Output;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.TimerRow;
import dev.jitney.core.Situation;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.queue.ExpiryBlocks;
import dev.jitney.core.queue.LockView;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.QueuedMessageView;
import dev.jitney.core.queue.RowMessage;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.model.MessageView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The decisions of timers, one kind at a time: first ended locks (LOCK-7), then due scheduled messages (SCHED-3), then
 * expired messages (TTL-6).
 */
final class TimerDecisions {

    /** The maximum content that one decision moves; the last message may exceed it. */
    private static final long MOVED_BYTES_MAX = 4L << 20;

    /** The number of messages that one decision reads before it begins no other block. */
    private static final int SWEPT_ROWS_MAX = 1_024;

    /** The number of blocks that one decision looks at. */
    private static final int BLOCKS_PER_LOOK = 16;

    private TimerDecisions() {}

    static Decision decide(QueueView queue, Situation now, int countMax) {
        List<Record> records = new ArrayList<>();
        List<Output> outputs = new ArrayList<>();
        endLocks(queue, now, countMax, records);
        if (records.isEmpty()) {
            SessionDecisions.endLocks(queue, now, countMax, records, outputs);
        }
        if (records.isEmpty()) {
            activate(queue, now, countMax, records);
        }
        if (records.isEmpty() && queue.sweepsExpired()) {
            sweep(queue, now, countMax, records);
        }
        if (records.isEmpty()) {
            removeEmptyBlocks(queue, now, records);
        }
        return Decision.of(records, outputs, Reply.Done.INSTANCE);
    }

    /** Decides the ended locks only, which are the only timers of a topic's transfer dead-letter queue (DLQ-8). */
    static Decision endLocks(QueueView topic, Situation now, int countMax) {
        List<Record> records = new ArrayList<>();
        endLocks(topic, now, countMax, records);
        return Decision.done(records);
    }

    private static void endLocks(QueueView queue, Situation now, int countMax, List<Record> records) {
        long bytes = 0;
        for (LockView lock : queue.endedLocks(now.nowMs(), countMax)) {
            if (bytes > MOVED_BYTES_MAX) {
                return;
            }
            bytes += lock.message().sizeBytes();
            records.add(FailedDelivery.counted(queue, lock, Map.of(), Record.FailureCause.LOCK_EXPIRED, now));
        }
    }

    private static void activate(QueueView queue, Situation now, int countMax, List<Record> records) {
        long number = queue.lastSequenceNumber();
        long bytes = 0;
        for (TimerRow timer : queue.dueTimers(now.nowMs(), countMax)) {
            if (bytes > MOVED_BYTES_MAX) {
                return;
            }
            StoredMessage scheduled = now.rows().stored(queue.id(), Lane.SCHEDULED, timer.sequenceNumber());
            number++;
            bytes += scheduled.sizeBytes();
            // In the scheduled lane the expiry is the time to live (TTL-12). The limits of this moment apply to it
            // (TTL-16).
            long timeToLiveMs = Admission.effectiveTimeToLive(queue, scheduled.expiresAtMs());
            MessageEnvelope envelope = scheduled.envelope().toBuilder()
                    .sequenceNumber(number)
                    .enqueuedTimeMs(now.nowMs())
                    .expiresAtMs(Admission.saturatedSum(now.nowMs(), timeToLiveMs))
                    .deliveryCount(0)
                    .wasScheduled(true)
                    .build();
            StoredMessage active = new StoredMessage(envelope, scheduled.content(), null);
            records.add(new Record.ScheduledMessageActivated(timer.sequenceNumber(), timer.dueMs(), active));
        }
    }

    /** Removes blocks without messages, so that their number follows that of waiting messages and not the traffic. */
    private static void removeEmptyBlocks(QueueView queue, Situation now, List<Record> records) {
        for (long block : queue.expiryBlocksToLookAt(BLOCKS_PER_LOOK)) {
            boolean[] found = {false};
            now.rows()
                    .scan(queue.id(), Lane.MAIN, ExpiryBlocks.firstOf(block), ExpiryBlocks.firstOf(block + 1), row -> {
                        found[0] = true;
                        return false;
                    });
            long earliestMs = found[0] ? queue.expiryOfBlock(block) : MessageView.NEVER;
            records.add(new Record.ExpiryBlockSwept(block, earliestMs, found[0]));
        }
    }

    private static void sweep(QueueView queue, Situation now, int countMax, List<Record> records) {
        long[] bytes = {0};
        long[] rows = {0};
        long[] readBytes = {0};
        SessionSweep session =
                queue.sessions() == null ? null : new SessionSweep(queue, queue.sessions(), now, records);
        for (long block : queue.dueExpiryBlocks(now.nowMs(), countMax)) {
            boolean enough = rows[0] >= SWEPT_ROWS_MAX || readBytes[0] > MOVED_BYTES_MAX;
            if (enough || records.size() >= countMax || bytes[0] > MOVED_BYTES_MAX) {
                return;
            }
            long[] earliestMs = {MessageView.NEVER};
            boolean[] lockedRemain = {false};
            now.rows()
                    .scan(queue.id(), Lane.MAIN, ExpiryBlocks.firstOf(block), ExpiryBlocks.firstOf(block + 1), row -> {
                        long expiresAtMs = row.message().expiresAtMs();
                        rows[0]++;
                        readBytes[0] += row.message().content().sizeBytes();
                        if (row.deferred()) {
                            return true; // TTL-32
                        }
                        if (queue.lock(Lane.MAIN, row.message().sequenceNumber()) != null) {
                            lockedRemain[0] = true; // TTL-8
                            if (session != null && expiresAtMs > now.nowMs()) {
                                earliestMs[0] = Math.min(earliestMs[0], expiresAtMs); // TTL-29: delivered or not
                            } else if (session != null && !session.takeOthers(row, countMax)) {
                                earliestMs[0] = expiresAtMs; // the next sweep continues with this session
                                return false;
                            }
                        } else if (session != null && session.hasTaken(row)) {
                            return true;
                        } else if (expiresAtMs <= now.nowMs()) {
                            if (bytes[0] > MOVED_BYTES_MAX || (session != null && !session.takeOthers(row, countMax))) {
                                earliestMs[0] = expiresAtMs; // the block stays due, and the next sweep continues here
                                return false;
                            }
                            QueuedMessageView message = new RowMessage(row);
                            bytes[0] += message.sizeBytes();
                            records.add(FailedDelivery.expired(
                                    queue, message, message.deliveryCount(), message.overrides(), now));
                        } else {
                            earliestMs[0] = Math.min(earliestMs[0], expiresAtMs);
                        }
                        return true;
                    });
            records.add(new Record.ExpiryBlockSwept(block, earliestMs[0], lockedRemain[0]));
        }
    }
}
