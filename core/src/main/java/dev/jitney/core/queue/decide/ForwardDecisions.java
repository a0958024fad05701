package dev.jitney.core.queue.decide;

import dev.jitney.codec.StoredMessages;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.Situation;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.Transfer.Origin;
import dev.jitney.core.queue.ForwardedMessage;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.QueuedMessageView;
import dev.jitney.core.queue.RowMessage;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.model.MessageView;
import java.util.ArrayList;
import java.util.List;

/**
 * Which messages an entity hands on, and how they look then (semantics chapter 9). Whether the destination takes them is
 * decided there.
 */
public final class ForwardDecisions {
    /** Content one decision takes out of the entity at most, besides a last message that may be larger. */
    private static final long BYTES_MAX = 1L << 20;

    /** Rows one look at dead letters that were passed by reads at most. */
    private static final int ROWS_MAX = 1_024;

    private ForwardDecisions() {}

    /** A message that the entity did not keep, because it hands on what it gets. */
    public static ForwardedMessage passed(Record.MessagePassed passed) {
        IncomingMessage message = passed.message();
        long number = passed.sequenceNumber();
        MessageEnvelope there = MessageEnvelope.builder()
                .sequenceNumber(number)
                .enqueuedTimeMs(passed.enqueuedTimeMs())
                .expiresAtMs(Admission.saturatedSum(passed.enqueuedTimeMs(), passed.timeToLiveMs()))
                .deadLetterSource(message.envelope().deadLetterSource())
                .build();
        MessageEnvelope onItsWay = message.envelope()
                .handedOn(
                        message.hops() + 1,
                        Admission.firstNumber(message, number),
                        message.envelope().deadLetterSource());
        if (onItsWay.firstEnqueuedTimeMs() == 0) {
            onItsWay = onItsWay.toBuilder()
                    .firstEnqueuedTimeMs(passed.enqueuedTimeMs())
                    .build();
        }
        if (!passed.overrides().isEmpty()) {
            message = StoredMessages.incoming(
                    message.content(),
                    passed.overrides(),
                    message.sessionId(),
                    passed.timeToLiveMs(),
                    message.scheduledEnqueueTimeMs());
        }
        IncomingMessage handedOn = message.toBuilder()
                .timeToLiveMs(passed.timeToLiveMs())
                .envelope(onItsWay)
                .build();
        return new ForwardedMessage(handedOn, new Origin(Lane.MAIN, there), null);
    }

    /**
     * Available messages of a lane that the entity is to hand on now, in order. Those of the main lane wait until expired
     * ones are swept (TTL-33).
     */
    public static List<ForwardedMessage> waiting(QueueView queue, Lane lane, Situation now, int countMax) {
        List<ForwardedMessage> forwarded = new ArrayList<>();
        if (lane == Lane.MAIN && queue.earliestExpiryMs() <= now.nowMs()) {
            return forwarded;
        }
        long bytes = 0;
        for (QueuedMessageView message : queue.head(lane, countMax)) {
            if (bytes > BYTES_MAX) {
                break;
            }
            forwarded.add(forwarded(queue, lane, message, now));
            bytes += message.sizeBytes();
        }
        return forwarded;
    }

    /**
     * Dead letters that were passed by and are to be tried again.
     *
     * @param forwarded in order of their numbers
     * @param next where the next look begins, {@link Long#MAX_VALUE} if there are no more
     * @param rows how many dead letters were looked at
     * @param staysFrom the first of those that will never be taken (FWD-9), {@link Long#MAX_VALUE} if there is none
     */
    public record PassedBy(List<ForwardedMessage> forwarded, long next, int rows, long staysFrom) {}

    /**
     * Looks for dead letters that were passed by (FWD-12), to be called while no other dead letter is available. Reads a
     * bounded number of rows.
     *
     * @param from the smallest number to look at
     */
    public static PassedBy passedBy(QueueView queue, long from, Situation now, int countMax) {
        List<ForwardedMessage> forwarded = new ArrayList<>();
        long[] next = {Long.MAX_VALUE};
        long[] staysFrom = {Long.MAX_VALUE};
        long[] read = {0, 0}; // rows, bytes
        now.rows().scan(queue.id(), Lane.DEAD_LETTER, from, Long.MAX_VALUE, row -> {
            long number = row.message().sequenceNumber();
            if (read[0] == ROWS_MAX || read[1] > BYTES_MAX || forwarded.size() == countMax) {
                next[0] = number;
                return false;
            }
            read[0]++;
            if (!row.deferred() && queue.lock(Lane.DEAD_LETTER, number) == null) {
                if (row.message().hops() < MessageEnvelope.HOPS_MAX) {
                    QueuedMessageView message = new RowMessage(row);
                    read[1] += message.sizeBytes();
                    forwarded.add(forwarded(queue, Lane.DEAD_LETTER, message, row.message()));
                } else {
                    staysFrom[0] = Math.min(staysFrom[0], number);
                }
            }
            return true;
        });
        return new PassedBy(forwarded, next[0], (int) read[0], staysFrom[0]);
    }

    private static ForwardedMessage forwarded(QueueView queue, Lane lane, QueuedMessageView queued, Situation now) {
        return forwarded(queue, lane, queued, FailedDelivery.content(queue, lane, queued, now));
    }

    private static ForwardedMessage forwarded(
            QueueView queue, Lane lane, QueuedMessageView queued, StoredMessage stored) {
        // TTL-33: the time to live starts anew; that of a message in a dead-letter queue is not observed there (DLQ-6).
        long timeToLiveMs = stored.expiresAtMs() == MessageView.NEVER
                ? MessageView.NEVER
                : Math.max(1, stored.expiresAtMs() - stored.enqueuedTimeMs());
        String source = lane == Lane.DEAD_LETTER ? queue.description().path() : stored.deadLetterSource(); // DLQ-38
        IncomingMessage message = StoredMessages.incoming(
                stored.content(),
                queued.overrides(),
                stored.sessionId(),
                timeToLiveMs,
                stored.scheduledEnqueueTimeMs());
        long before = stored.envelope().firstEnqueuedTimeMs();
        MessageEnvelope onItsWay =
                message.envelope().handedOn(stored.hops() + 1, stored.enqueuedSequenceNumber(), source).toBuilder()
                        .firstEnqueuedTimeMs(before == 0 ? stored.enqueuedTimeMs() : before)
                        .build();
        MessageEnvelope there = MessageEnvelope.builder()
                .sequenceNumber(stored.sequenceNumber())
                .enqueuedTimeMs(stored.enqueuedTimeMs())
                .expiresAtMs(stored.expiresAtMs())
                .deliveryCount(queued.deliveryCount())
                .deadLetterSource(stored.deadLetterSource())
                .build();
        Record removal = new Record.MessageRemoved(
                lane,
                queued.sequenceNumber(),
                queued.sizeBytes(),
                false,
                queued.changed(),
                Record.RemovalCause.FORWARDED,
                queued.sharedBody(),
                queued.sessionId());
        return new ForwardedMessage(message.with(onItsWay), new Origin(lane, there), removal);
    }
}
