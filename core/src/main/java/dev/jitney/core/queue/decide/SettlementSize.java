package dev.jitney.core.queue.decide;

import dev.jitney.core.MessageChange;
import dev.jitney.core.queue.LockView;
import dev.jitney.core.queue.QueueView;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The limits on the properties that a settlement sets, and on the bytes that it writes. */
final class SettlementSize {

    /**
     * The maximum content and properties in bytes that a settlement of several messages writes. All of them are in memory
     * at once, because the settlement takes effect for all messages or none (LOCK-13).
     */
    static final long BYTES_MAX = 4L << 20;

    private SettlementSize() {}

    /**
     * Checks that a settlement does not grow the properties of a message beyond the limit for sends (QUOTA-6), and that it
     * does not write too much.
     *
     * @param properties properties that the settlement sets
     * @param holder transaction or request that has held the locks since its check. Then the bytes are not checked again,
     *     because a settlement that was accepted must not be refused later
     * @param moves returns whether the settlement moves a message to another queue, with its content
     */
    static @Nullable Rejection refusal(
            QueueView queue,
            List<LockView> locks,
            Map<String, EncodedValue> properties,
            long holder,
            Predicate<LockView> moves) {
        int limit = queue.limits().maxHeaderSizeBytes();
        boolean isChecked = locks.size() > 1 && holder == SettlementDecisions.NOBODY;
        if (properties.isEmpty() && !isChecked) {
            return null; // the usual case
        }
        long bytes = 0;
        for (LockView lock : locks) {
            int size = MessageChange.sizeOf(FailedDelivery.merge(lock.message().overrides(), properties));
            if (size > limit && !properties.isEmpty()) {
                return new Rejection(
                        ErrorCode.ARGUMENT,
                        "Expected at most " + limit + " bytes of modified properties, but got " + size + ".");
            }
            if (isChecked) {
                bytes += size + (moves.test(lock) ? lock.message().sizeBytes() : 0);
                if (bytes > BYTES_MAX) {
                    return new Rejection(
                            ErrorCode.OUT_OF_RANGE,
                            "Expected at most " + BYTES_MAX + " bytes of moved messages and modified properties in a"
                                    + " settlement of several messages, but these " + locks.size()
                                    + " messages have more. Settle fewer messages at a time.");
                }
            }
        }
        return null;
    }
}
