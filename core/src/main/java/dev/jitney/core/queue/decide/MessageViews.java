package dev.jitney.core.queue.decide;

import dev.jitney.core.Lane;
import dev.jitney.core.RowWriter.MessageRow;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.QueuedMessageView;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Views of stored messages for receivers and peeks. */
final class MessageViews {

    private MessageViews() {}

    static MessageView locked(QueueView queue, MessageRow row, MessageState state, UUID token, long lockedUntilMs) {
        return view(queue, row.message(), row.deliveryCount(), overrides(row), state, token, lockedUntilMs);
    }

    static MessageView unlocked(QueueView queue, MessageRow row, MessageState state) {
        return view(queue, row.message(), row.deliveryCount(), overrides(row), state, null, 0);
    }

    /** Returns a delivered message. Outside dead-letter queues its state shows whether it was scheduled (STATE-9). */
    static MessageView delivered(
            Lane lane, StoredMessage stored, QueuedMessageView message, @Nullable UUID token, long lockedUntilMs) {
        boolean scheduled = lane == Lane.MAIN && stored.wasScheduled();
        return new MessageView(
                stored.envelope().shown(stored.expiresAtMs(), message.deliveryCount(), message.overrides()),
                scheduled ? MessageState.SCHEDULED : MessageState.ACTIVE,
                token,
                lockedUntilMs,
                stored.content());
    }

    static MessageView view(
            QueueView queue,
            StoredMessage stored,
            int deliveryCount,
            Map<String, EncodedValue> overrides,
            MessageState state,
            @Nullable UUID token,
            long lockedUntilMs) {
        // The time to live of a scheduled message counts from activation (TTL-12); until then its expiry is the sum of
        // both, with the current limits (TTL-16).
        long expiresAtMs = state == MessageState.SCHEDULED
                ? Admission.saturatedSum(
                        stored.scheduledEnqueueTimeMs(), Admission.effectiveTimeToLive(queue, stored.expiresAtMs()))
                : stored.expiresAtMs();
        return new MessageView(
                stored.envelope().shown(expiresAtMs, deliveryCount, overrides),
                state,
                token,
                lockedUntilMs,
                stored.content());
    }

    private static Map<String, EncodedValue> overrides(MessageRow row) {
        return row.change() == null
                ? row.message().propertyOverrides()
                : row.change().propertyOverrides();
    }
}
