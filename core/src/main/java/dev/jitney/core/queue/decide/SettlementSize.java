package dev.jitney.core.queue.decide;

import dev.jitney.codec.StoredMessages;
import dev.jitney.core.MessageChange;
import dev.jitney.core.Situation;
import dev.jitney.core.queue.LockView;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.QueuedMessageView;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageContent;
import dev.jitney.model.Rejection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The limits on the properties that a settlement sets, and on the bytes that it reads and writes. */
final class SettlementSize {

    /**
     * The maximum content and properties in bytes that a settlement of several messages writes. All of them are in memory
     * at once, because the settlement takes effect for all messages or none (LOCK-13).
     */
    static final long BYTES_MAX = 4L << 20;

    /**
     * The maximum content in bytes that the check of the properties of several messages reads. It is in memory one message after
     * another, but the shard serves no other entity meanwhile.
     */
    static final long READ_BYTES_MAX = 64L << 20;

    /** More than a section of application properties takes besides its properties. */
    private static final int SECTION_BYTES_MAX = 16;

    private final QueueView queue;
    private final Situation now;
    private long readBytes;

    private SettlementSize(QueueView queue, Situation now) {
        this.queue = queue;
        this.now = now;
    }

    /**
     * Checks that a settlement does not grow the properties of a message beyond the limits for sends (QUOTA-6), and that it
     * does not write too much.
     *
     * @param modified properties that the client sets. Only these can exceed a limit for sends: the reason of a dead letter is cut
     *     (DLQ-13), because clients treat a refused dead-lettering as successful.
     * @param added all properties that the settlement sets
     * @param holder transaction or request that has held the locks since its check. Then nothing is checked again, because a
     *     settlement that was accepted must not be refused later
     * @param moves returns whether the settlement moves a message to another queue, with its content
     */
    static @Nullable Rejection refusal(
            QueueView queue,
            List<LockView> locks,
            Map<String, EncodedValue> modified,
            Map<String, EncodedValue> added,
            long holder,
            Predicate<LockView> moves,
            Situation now) {
        if (holder != SettlementDecisions.NOBODY) {
            return null;
        }
        Rejection refusal = modified.isEmpty() ? null : new SettlementSize(queue, now).tooLarge(locks, modified);
        return refusal == null && locks.size() > 1 ? tooMuch(locks, added, moves) : refusal;
    }

    private @Nullable Rejection tooLarge(List<LockView> locks, Map<String, EncodedValue> modified) {
        int limit = queue.limits().maxPropertySizeBytes();
        for (Map.Entry<String, EncodedValue> property : modified.entrySet()) {
            int size = encodedSize(property);
            if (size > limit) {
                return new Rejection(
                        ErrorCode.ARGUMENT,
                        "Expected modified properties of at most " + limit + " bytes each, but one has " + size + ".");
            }
        }
        for (LockView lock : locks) {
            Rejection refusal = tooLarge(lock, modified);
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    /** Checks the properties of a message after its settlement. Reads its content only if the properties could be too large. */
    private @Nullable Rejection tooLarge(LockView lock, Map<String, EncodedValue> modified) {
        QueuedMessageView message = lock.message();
        int limit = queue.limits().maxHeaderSizeBytes();
        Map<String, EncodedValue> overrides = FailedDelivery.merge(message.overrides(), modified);
        int added = SECTION_BYTES_MAX;
        for (Map.Entry<String, EncodedValue> property : overrides.entrySet()) {
            added += encodedSize(property);
        }
        if (message.sharedBody() == null && message.sizeBytes() + added <= limit) {
            return null;
        }
        MessageContent content =
                FailedDelivery.content(queue, lock.lane(), message, now).content();
        readBytes += content.sizeBytes();
        if (readBytes > READ_BYTES_MAX && readBytes > content.sizeBytes()) {
            return new Rejection(
                    ErrorCode.OUT_OF_RANGE,
                    "Expected a settlement with modified properties of several messages with at most " + READ_BYTES_MAX
                            + " bytes in total, but they have more. Settle fewer messages at a time.");
        }
        if (headerSize(content) + added <= limit) {
            return null;
        }
        int size = headerSize(StoredMessages.merged(content.withoutBody(), overrides)); // without replaced properties
        return size <= limit
                ? null
                : new Rejection(
                        ErrorCode.ARGUMENT,
                        "Expected at most " + limit + " bytes of properties, but got " + size
                                + " with the modified properties.");
    }

    private static int headerSize(MessageContent content) {
        return content.properties().remaining()
                + content.applicationProperties().remaining();
    }

    private static int encodedSize(Map.Entry<String, EncodedValue> property) {
        return EncodedValue.ofString(property.getKey()).encoding().length
                + property.getValue().encoding().length;
    }

    private static @Nullable Rejection tooMuch(
            List<LockView> locks, Map<String, EncodedValue> added, Predicate<LockView> moves) {
        long bytes = 0;
        for (LockView lock : locks) {
            bytes += MessageChange.sizeOf(FailedDelivery.merge(lock.message().overrides(), added))
                    + (moves.test(lock) ? lock.message().sizeBytes() : 0);
            if (bytes > BYTES_MAX) {
                return new Rejection(
                        ErrorCode.OUT_OF_RANGE,
                        "Expected at most " + BYTES_MAX + " bytes of moved messages and modified properties in a"
                                + " settlement of several messages, but these " + locks.size()
                                + " messages have more. Settle fewer messages at a time.");
            }
        }
        return null;
    }
}
