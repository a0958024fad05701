package dev.jitney.core.queue;

import dev.jitney.core.RowWriter.MessageRow;
import dev.jitney.core.StoredMessage;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes what receivers and peeks see out of rows. */
final class Views {

    private Views() {}

    static MessageView locked(MessageRow row, MessageState state, UUID token, long lockedUntilMs) {
        return view(row.message(), row.deliveryCount(), overrides(row), state, token, lockedUntilMs);
    }

    static MessageView unlocked(MessageRow row, MessageState state) {
        return view(row.message(), row.deliveryCount(), overrides(row), state, null, 0);
    }

    static MessageView view(
            StoredMessage stored,
            int deliveryCount,
            Map<String, EncodedValue> overrides,
            MessageState state,
            @Nullable UUID token,
            long lockedUntilMs) {
        return new MessageView(
                stored.sequenceNumber(),
                stored.enqueuedSequenceNumber(),
                stored.enqueuedTimeMs(),
                // A scheduled message counts its time to live from activation (TTL-12); until then it shows both added.
                state == MessageState.SCHEDULED
                        ? Admission.saturatedSum(stored.scheduledEnqueueTimeMs(), stored.expiresAtMs())
                        : stored.expiresAtMs(),
                stored.scheduledEnqueueTimeMs(),
                deliveryCount,
                state,
                token,
                lockedUntilMs,
                stored.deadLetterSource(),
                stored.content(),
                overrides);
    }

    private static Map<String, EncodedValue> overrides(MessageRow row) {
        return row.change() == null
                ? row.message().propertyOverrides()
                : row.change().propertyOverrides();
    }
}
