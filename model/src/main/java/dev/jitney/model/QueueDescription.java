package dev.jitney.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is configured about a queue (semantics chapter 19). Times are milliseconds; {@link MessageView#NEVER} stands for
 * the largest time span.
 *
 * <p>A description is a value without judgement: ranges and tier gates are checked where it is applied
 * ({@code dev.jitney.core.namespace}), so that every way in gives the same errors.
 *
 * @param path the name as created, case kept
 * @param lockDurationMs 5 s to 5 min (LOCK-1)
 * @param maxSizeInMegabytes quota of the entity (QUOTA-1)
 * @param maxMessageSizeInKilobytes quota of one message, or null for the tier's default (QUOTA-5)
 * @param defaultMessageTimeToLiveMs default and ceiling of a message's time to live (TTL-14, TTL-15)
 * @param autoDeleteOnIdleMs idle time after which the queue goes away (IDLE-3)
 * @param maxDeliveryCount deliveries before a message is dead-lettered (DLQ-19)
 * @param deadLetteringOnMessageExpiration whether expired messages are kept in the dead-letter queue (TTL-22)
 * @param requiresDuplicateDetection fixed at creation (DUP-1)
 * @param duplicateDetectionHistoryTimeWindowMs 20 s to 7 d (DUP-3)
 * @param requiresSession fixed at creation (SESS-1)
 * @param enablePartitioning fixed at creation (PART-8)
 * @param forwardTo destination of every message (FWD-1) as an absolute URL or as a path, or null;
 *     {@link EntityAddress#parse} finds the path in both
 * @param forwardDeadLetteredMessagesTo destination of dead-lettered messages in the same form, or null (FWD-11)
 * @param enableBatchedOperations whether store accesses may be grouped (ENT-2)
 * @param enableExpress whether the sender may give up durability for speed; messages are stored
 *     durably all the same, which satisfies both
 * @param supportOrdering whether the order of messages is kept; it always is
 * @param status which operations are admitted (SUSP-1)
 * @param maxReceivers receivers that may be open at a time, 1 to 1,000
 * @param userMetadata free text up to 1,024 characters, or null
 * @param accessRules the entity's own authorization rules, at most 12 (QUOTA-9)
 */
public record QueueDescription(
        String path,
        long lockDurationMs,
        long maxSizeInMegabytes,
        @Nullable Long maxMessageSizeInKilobytes,
        long defaultMessageTimeToLiveMs,
        long autoDeleteOnIdleMs,
        int maxDeliveryCount,
        boolean deadLetteringOnMessageExpiration,
        boolean requiresDuplicateDetection,
        long duplicateDetectionHistoryTimeWindowMs,
        boolean requiresSession,
        boolean enablePartitioning,
        @Nullable String forwardTo,
        @Nullable String forwardDeadLetteredMessagesTo,
        boolean enableBatchedOperations,
        boolean enableExpress,
        boolean supportOrdering,
        EntityStatus status,
        int maxReceivers,
        @Nullable String userMetadata,
        List<AccessRule> accessRules)
        implements EntityDescription {

    public QueueDescription {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(status, "status");
        accessRules = List.copyOf(accessRules);
    }

    /** A queue of that name with every default of chapter 19. */
    public static Builder named(String path) {
        return new Builder(path);
    }

    @Override
    public Builder toBuilder() {
        Builder b = new Builder(path);
        b.lockDurationMs = lockDurationMs;
        b.maxSizeInMegabytes = maxSizeInMegabytes;
        b.maxMessageSizeInKilobytes = maxMessageSizeInKilobytes;
        b.defaultMessageTimeToLiveMs = defaultMessageTimeToLiveMs;
        b.autoDeleteOnIdleMs = autoDeleteOnIdleMs;
        b.maxDeliveryCount = maxDeliveryCount;
        b.deadLetteringOnMessageExpiration = deadLetteringOnMessageExpiration;
        b.requiresDuplicateDetection = requiresDuplicateDetection;
        b.duplicateDetectionHistoryTimeWindowMs = duplicateDetectionHistoryTimeWindowMs;
        b.requiresSession = requiresSession;
        b.enablePartitioning = enablePartitioning;
        b.forwardTo = forwardTo;
        b.forwardDeadLetteredMessagesTo = forwardDeadLetteredMessagesTo;
        b.enableBatchedOperations = enableBatchedOperations;
        b.enableExpress = enableExpress;
        b.supportOrdering = supportOrdering;
        b.status = status;
        b.maxReceivers = maxReceivers;
        b.userMetadata = userMetadata;
        b.accessRules = accessRules;
        return b;
    }

    /** Collects the properties of a description; not thread-safe. */
    public static final class Builder implements EntityDescription.Builder<QueueDescription> {
        private String path;
        private long lockDurationMs = 60_000;
        private long maxSizeInMegabytes = 1024;
        private @Nullable Long maxMessageSizeInKilobytes;
        private long defaultMessageTimeToLiveMs = MessageView.NEVER;
        private long autoDeleteOnIdleMs = MessageView.NEVER;
        private int maxDeliveryCount = 10;
        private boolean deadLetteringOnMessageExpiration;
        private boolean requiresDuplicateDetection;
        private long duplicateDetectionHistoryTimeWindowMs = 600_000;
        private boolean requiresSession;
        private boolean enablePartitioning;
        private @Nullable String forwardTo;
        private @Nullable String forwardDeadLetteredMessagesTo;
        private boolean enableBatchedOperations = true;
        private boolean enableExpress;
        private boolean supportOrdering = true;
        private EntityStatus status = EntityStatus.ACTIVE;
        private int maxReceivers = 1_000;
        private @Nullable String userMetadata;
        private List<AccessRule> accessRules = List.of();

        private Builder(String path) {
            this.path = path;
        }

        /** The same queue under another spelling of its name, or another queue like it. */
        public Builder path(String value) {
            path = value;
            return this;
        }

        public Builder lockDurationMs(long value) {
            lockDurationMs = value;
            return this;
        }

        public Builder maxSizeInMegabytes(long value) {
            maxSizeInMegabytes = value;
            return this;
        }

        public Builder maxMessageSizeInKilobytes(@Nullable Long value) {
            maxMessageSizeInKilobytes = value;
            return this;
        }

        public Builder defaultMessageTimeToLiveMs(long value) {
            defaultMessageTimeToLiveMs = value;
            return this;
        }

        public Builder autoDeleteOnIdleMs(long value) {
            autoDeleteOnIdleMs = value;
            return this;
        }

        public Builder maxDeliveryCount(int value) {
            maxDeliveryCount = value;
            return this;
        }

        public Builder deadLetteringOnMessageExpiration(boolean value) {
            deadLetteringOnMessageExpiration = value;
            return this;
        }

        public Builder requiresDuplicateDetection(boolean value) {
            requiresDuplicateDetection = value;
            return this;
        }

        public Builder duplicateDetectionHistoryTimeWindowMs(long value) {
            duplicateDetectionHistoryTimeWindowMs = value;
            return this;
        }

        public Builder requiresSession(boolean value) {
            requiresSession = value;
            return this;
        }

        public Builder enablePartitioning(boolean value) {
            enablePartitioning = value;
            return this;
        }

        public Builder forwardTo(@Nullable String value) {
            forwardTo = value;
            return this;
        }

        public Builder forwardDeadLetteredMessagesTo(@Nullable String value) {
            forwardDeadLetteredMessagesTo = value;
            return this;
        }

        public Builder enableBatchedOperations(boolean value) {
            enableBatchedOperations = value;
            return this;
        }

        public Builder enableExpress(boolean value) {
            enableExpress = value;
            return this;
        }

        public Builder supportOrdering(boolean value) {
            supportOrdering = value;
            return this;
        }

        public Builder status(EntityStatus value) {
            status = value;
            return this;
        }

        public Builder maxReceivers(int value) {
            maxReceivers = value;
            return this;
        }

        public Builder userMetadata(@Nullable String value) {
            userMetadata = value;
            return this;
        }

        public Builder accessRules(List<AccessRule> value) {
            accessRules = value;
            return this;
        }

        @Override
        public QueueDescription build() {
            return new QueueDescription(
                    path,
                    lockDurationMs,
                    maxSizeInMegabytes,
                    maxMessageSizeInKilobytes,
                    defaultMessageTimeToLiveMs,
                    autoDeleteOnIdleMs,
                    maxDeliveryCount,
                    deadLetteringOnMessageExpiration,
                    requiresDuplicateDetection,
                    duplicateDetectionHistoryTimeWindowMs,
                    requiresSession,
                    enablePartitioning,
                    forwardTo,
                    forwardDeadLetteredMessagesTo,
                    enableBatchedOperations,
                    enableExpress,
                    supportOrdering,
                    status,
                    maxReceivers,
                    userMetadata,
                    accessRules);
        }
    }
}
