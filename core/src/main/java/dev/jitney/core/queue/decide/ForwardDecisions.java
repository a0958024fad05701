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
import dev.jitney.core.queue.decide.TransferDecisions.Failure;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.model.MessageView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages that an entity forwards, and their form (semantics chapter 9). The destination decides whether it accepts
 * them.
 */
public final class ForwardDecisions {
    /** The maximum content that one decision removes from the entity; the last message may exceed it. */
    private static final long BYTES_MAX = 1L << 20;

    /** The maximum number of rows that one search for skipped dead letters reads. */
    private static final int ROWS_MAX = 1_024;

    private ForwardDecisions() {}

    /** Returns a message that the entity forwards without storing it. */
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
     * Returns the available messages of a lane that the entity must forward now, in order. Messages of the main lane wait
     * until expired ones are removed (TTL-33).
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
     * Skipped dead letters to retry.
     *
     * @param forwarded in the order of their numbers
     * @param next the start of the next search, {@link Long#MAX_VALUE} if there are no more
     * @param rows the number of dead letters read
     * @param staysFrom the first dead letter that can never be forwarded (FWD-9), {@link Long#MAX_VALUE} if there is none
     */
    public record PassedBy(List<ForwardedMessage> forwarded, long next, int rows, long staysFrom) {}

    /**
     * Searches for skipped dead letters (FWD-12); to be called when no other dead letter is available. Reads a bounded
     * number of rows.
     *
     * @param from the smallest number to read
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
        String source = lane == Lane.DEAD_LETTER ? queue.description().path() : stored.deadLetterSource(); // DLQ-38
        IncomingMessage message = onItsWay(stored, queued.overrides(), source);
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
        return new ForwardedMessage(message, new Origin(lane, there), removal);
    }

    /** Returns a message that the entity forwards after it has stored it, as the destination receives it. */
    static IncomingMessage onItsWay(
            StoredMessage stored, Map<String, EncodedValue> overrides, @Nullable String deadLetterSource) {
        // TTL-33: the time to live starts again; a dead-letter queue ignores the time to live of its messages (DLQ-6).
        long timeToLiveMs = stored.expiresAtMs() == MessageView.NEVER
                ? MessageView.NEVER
                : Math.max(1, stored.expiresAtMs() - stored.enqueuedTimeMs());
        IncomingMessage message = StoredMessages.incoming(
                stored.content(), overrides, stored.sessionId(), timeToLiveMs, stored.scheduledEnqueueTimeMs());
        return message.with(
                message.envelope().handedOn(stored.hops() + 1, stored.enqueuedSequenceNumber(), deadLetterSource));
    }

    /** Returns the reason why an entity cannot forward a message to any destination, or null. */
    public static @Nullable Failure refusal(IncomingMessage onItsWay, Limits limits) {
        if (onItsWay.hops() > MessageEnvelope.HOPS_MAX) {
            return Failure.TOO_MANY_HOPS;
        }
        return onItsWay.headerSizeBytes() > limits.maxHeaderSizeBytes() ? Failure.HEADER_TOO_LARGE : null;
    }
}
