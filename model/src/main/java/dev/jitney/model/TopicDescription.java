package dev.jitney.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a topic (semantics chapter 19). Times are milliseconds; {@link MessageView#NEVER} stands for the
 * largest time span.
 *
 * <p>It does not check its values, like {@link QueueDescription}.
 *
 * @param path the name as created, case kept
 * @param defaultMessageTimeToLiveMs default and maximum time to live of a message (TTL-14, TTL-15)
 * @param maxSizeInMegabytes quota of the topic with its subscriptions (QUOTA-1, QUOTA-2)
 * @param maxMessageSizeInKilobytes quota of one message, or null for the tier's default (QUOTA-5)
 * @param requiresDuplicateDetection fixed at creation (DUP-1)
 * @param duplicateDetectionHistoryTimeWindowMs 20 s to 7 d (DUP-3)
 * @param enableBatchedOperations whether accesses to the store may be batched (ENT-2)
 * @param enableFilteringMessagesBeforePublishing whether a message that matches no subscription is refused
 * @param status the status, which decides on the operations that are allowed (SUSP-2)
 * @param userMetadata free text up to 1,024 characters, or null
 * @param supportOrdering whether the order of messages is kept; Jitney always keeps it
 * @param autoDeleteOnIdleMs idle time after which the topic is deleted (IDLE-3)
 * @param enablePartitioning fixed at creation (PART-8)
 * @param enableSubscriptionPartitioning fixed at creation; stored for compatibility, without effect
 * @param enableExpress whether senders accept less durability for more speed; Jitney stores messages durably in any case
 * @param accessRules the topic's own authorization rules, at most 12 (QUOTA-9); they also apply to its subscriptions
 */
public record TopicDescription(
        String path,
        long defaultMessageTimeToLiveMs,
        long maxSizeInMegabytes,
        @Nullable Long maxMessageSizeInKilobytes,
        boolean requiresDuplicateDetection,
        long duplicateDetectionHistoryTimeWindowMs,
        boolean enableBatchedOperations,
        boolean enableFilteringMessagesBeforePublishing,
        EntityStatus status,
        @Nullable String userMetadata,
        boolean supportOrdering,
        long autoDeleteOnIdleMs,
        boolean enablePartitioning,
        boolean enableSubscriptionPartitioning,
        boolean enableExpress,
        List<AccessRule> accessRules)
        implements EntityDescription {

    public TopicDescription {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(status, "status");
        accessRules = List.copyOf(accessRules);
    }

    /** Returns a builder of a topic with that name and every default of chapter 19. */
    public static Builder named(String path) {
        return new Builder(path);
    }

    @Override
    public Builder toBuilder() {
        Builder b = new Builder(path);
        b.defaultMessageTimeToLiveMs = defaultMessageTimeToLiveMs;
        b.maxSizeInMegabytes = maxSizeInMegabytes;
        b.maxMessageSizeInKilobytes = maxMessageSizeInKilobytes;
        b.requiresDuplicateDetection = requiresDuplicateDetection;
        b.duplicateDetectionHistoryTimeWindowMs = duplicateDetectionHistoryTimeWindowMs;
        b.enableBatchedOperations = enableBatchedOperations;
        b.enableFilteringMessagesBeforePublishing = enableFilteringMessagesBeforePublishing;
        b.status = status;
        b.userMetadata = userMetadata;
        b.supportOrdering = supportOrdering;
        b.autoDeleteOnIdleMs = autoDeleteOnIdleMs;
        b.enablePartitioning = enablePartitioning;
        b.enableSubscriptionPartitioning = enableSubscriptionPartitioning;
        b.enableExpress = enableExpress;
        b.accessRules = accessRules;
        return b;
    }

    /** Returns false: only the subscriptions of a topic have sessions. */
    @Override
    public boolean requiresSession() {
        return false;
    }

    /** A builder of a description; not thread-safe. */
    public static final class Builder implements EntityDescription.Builder<TopicDescription> {
        private String path;
        private long defaultMessageTimeToLiveMs = MessageView.NEVER;
        private long maxSizeInMegabytes = 1024;
        private @Nullable Long maxMessageSizeInKilobytes;
        private boolean requiresDuplicateDetection;
        private long duplicateDetectionHistoryTimeWindowMs = 600_000;
        private boolean enableBatchedOperations = true;
        private boolean enableFilteringMessagesBeforePublishing;
        private EntityStatus status = EntityStatus.ACTIVE;
        private @Nullable String userMetadata;
        private boolean supportOrdering = true;
        private long autoDeleteOnIdleMs = MessageView.NEVER;
        private boolean enablePartitioning;
        private boolean enableSubscriptionPartitioning;
        private boolean enableExpress;
        private List<AccessRule> accessRules = List.of();

        private Builder(String path) {
            this.path = path;
        }

        /** Sets another spelling of the name. */
        public Builder path(String value) {
            path = value;
            return this;
        }

        public Builder defaultMessageTimeToLiveMs(long value) {
            defaultMessageTimeToLiveMs = value;
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

        public Builder requiresDuplicateDetection(boolean value) {
            requiresDuplicateDetection = value;
            return this;
        }

        public Builder duplicateDetectionHistoryTimeWindowMs(long value) {
            duplicateDetectionHistoryTimeWindowMs = value;
            return this;
        }

        public Builder enableBatchedOperations(boolean value) {
            enableBatchedOperations = value;
            return this;
        }

        public Builder enableFilteringMessagesBeforePublishing(boolean value) {
            enableFilteringMessagesBeforePublishing = value;
            return this;
        }

        public Builder status(EntityStatus value) {
            status = value;
            return this;
        }

        public Builder userMetadata(@Nullable String value) {
            userMetadata = value;
            return this;
        }

        public Builder supportOrdering(boolean value) {
            supportOrdering = value;
            return this;
        }

        public Builder autoDeleteOnIdleMs(long value) {
            autoDeleteOnIdleMs = value;
            return this;
        }

        public Builder enablePartitioning(boolean value) {
            enablePartitioning = value;
            return this;
        }

        public Builder enableSubscriptionPartitioning(boolean value) {
            enableSubscriptionPartitioning = value;
            return this;
        }

        public Builder enableExpress(boolean value) {
            enableExpress = value;
            return this;
        }

        public Builder accessRules(List<AccessRule> value) {
            accessRules = value;
            return this;
        }

        @Override
        public TopicDescription build() {
            return new TopicDescription(
                    path,
                    defaultMessageTimeToLiveMs,
                    maxSizeInMegabytes,
                    maxMessageSizeInKilobytes,
                    requiresDuplicateDetection,
                    duplicateDetectionHistoryTimeWindowMs,
                    enableBatchedOperations,
                    enableFilteringMessagesBeforePublishing,
                    status,
                    userMetadata,
                    supportOrdering,
                    autoDeleteOnIdleMs,
                    enablePartitioning,
                    enableSubscriptionPartitioning,
                    enableExpress,
                    accessRules);
        }
    }
}
