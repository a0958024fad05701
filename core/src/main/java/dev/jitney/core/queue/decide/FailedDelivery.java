package dev.jitney.core.queue.decide;

import dev.jitney.core.Lane;
import dev.jitney.core.MessageChange;
import dev.jitney.core.Record;
import dev.jitney.core.Situation;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.queue.LockView;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.QueuedMessageView;
import dev.jitney.model.EncodedValue;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The effects of a lock that ends without success, in the order of STATE-7: count, expiry, delivery limit, back to its
 * lane. Shared by abandon, release, lock expiry and the removal of expired messages.
 */
final class FailedDelivery {
    static final String REASON = "DeadLetterReason";
    static final String DESCRIPTION = "DeadLetterErrorDescription";

    private FailedDelivery() {}

    /** Returns the record of a counted failure: abandon or lock expiry. */
    static Record counted(
            QueueView queue,
            LockView lock,
            Map<String, EncodedValue> propertiesToModify,
            Record.FailureCause cause,
            Situation now) {
        QueuedMessageView message = lock.message();
        int deliveryCount = afterFailure(lock);
        Map<String, EncodedValue> overrides = merge(message.overrides(), propertiesToModify);
        if (lock.lane() == Lane.MAIN) {
            if (lock.isExpired(now.nowMs())) {
                return expired(queue, message, deliveryCount, overrides, now);
            }
            int limit = queue.description().maxDeliveryCount();
            if (deliveryCount >= limit) {
                return deadLettered(
                        queue,
                        message,
                        deliveryCount,
                        withReason(
                                overrides,
                                "MaxDeliveryCountExceeded",
                                "Message could not be consumed after " + limit + " delivery attempts."),
                        0,
                        now);
            }
        }
        MessageChange change = new MessageChange(deliveryCount, message.deferred(), overrides);
        return new Record.DeliveryFailed(
                lock.lane(), message.sequenceNumber(), sizeDelta(message, overrides), change, cause);
    }

    /** Returns whether a counted failure moves the message, with its content, to the dead-letter queue. */
    static boolean moves(QueueView queue, LockView lock, Situation now) {
        return lock.lane() == Lane.MAIN
                && (lock.isExpired(now.nowMs())
                        ? queue.description().deadLetteringOnMessageExpiration()
                        : afterFailure(lock) >= queue.description().maxDeliveryCount());
    }

    /**
     * Returns the delivery count after a failed delivery: one more in the main lane, unchanged in a dead-letter queue
     * (DLQ-39).
     */
    static int afterFailure(LockView lock) {
        return lock.message().deliveryCount() + (lock.lane() == Lane.MAIN ? 1 : 0);
    }

    /** Returns the record for the end of a lock that does not count (LOCK-14, PART-60). */
    static Record released(QueueView queue, LockView lock, Situation now) {
        QueuedMessageView message = lock.message();
        return lock.lane() == Lane.MAIN && lock.isExpired(now.nowMs())
                ? expired(queue, message, message.deliveryCount(), message.overrides(), now)
                : new Record.MessageReleased(lock.token());
    }

    /**
     * Returns the record for an expired message: to the dead-letter queue if the queue is configured so, otherwise
     * removed (T-18, T-19, T-25).
     */
    static Record expired(
            QueueView queue,
            QueuedMessageView message,
            int deliveryCount,
            Map<String, EncodedValue> overrides,
            Situation now) {
        if (queue.description().deadLetteringOnMessageExpiration()) {
            return deadLettered(
                    queue,
                    message,
                    deliveryCount,
                    withReason(overrides, "TTLExpiredException", "The message expired and was dead lettered."),
                    message.hops(),
                    now);
        }
        return new Record.MessageRemoved(
                Lane.MAIN,
                message.sequenceNumber(),
                message.sizeBytes(),
                message.deferred(),
                message.changed(),
                Record.RemovalCause.EXPIRED,
                message.sharedBody(),
                message.sessionId());
    }

    /**
     * Returns the record that moves a message of the main lane to the dead-letter queue; all parts except the overrides
     * stay unchanged (STATE-10).
     *
     * @param hops transfers that still count when the message is forwarded again: none after a delivery to a receiver,
     *     and otherwise all, so that no message can loop without a receiver
     */
    static Record deadLettered(
            QueueView queue,
            QueuedMessageView message,
            int deliveryCount,
            Map<String, EncodedValue> overrides,
            int hops,
            Situation now) {
        StoredMessage moved = content(queue, Lane.MAIN, message, now).deadLettered(deliveryCount, overrides, hops);
        return new Record.MessageDeadLettered(message.sizeBytes(), message.deferred(), message.changed(), moved);
    }

    /** Returns the row of a message, from memory if it is there. */
    static StoredMessage content(QueueView queue, Lane lane, QueuedMessageView message, Situation now) {
        StoredMessage cached = message.cached();
        return cached != null ? cached : now.rows().stored(queue.id(), lane, message.sequenceNumber());
    }

    static Map<String, EncodedValue> withReason(
            Map<String, EncodedValue> overrides, String reason, String description) {
        Map<String, EncodedValue> out = new LinkedHashMap<>(overrides);
        out.put(REASON, EncodedValue.ofString(reason));
        out.put(DESCRIPTION, EncodedValue.ofString(description));
        return out;
    }

    static Map<String, EncodedValue> merge(Map<String, EncodedValue> base, Map<String, EncodedValue> more) {
        if (more.isEmpty()) {
            return base;
        }
        Map<String, EncodedValue> out = new LinkedHashMap<>(base);
        out.putAll(more);
        return out;
    }

    static int sizeDelta(QueuedMessageView message, Map<String, EncodedValue> overrides) {
        return MessageChange.sizeOf(overrides) - MessageChange.sizeOf(message.overrides());
    }
}
