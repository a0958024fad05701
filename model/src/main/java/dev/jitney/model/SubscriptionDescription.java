package dev.jitney.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a subscription (semantics chapter 19). Times are milliseconds; {@link MessageView#NEVER} stands
 * for the largest time span.
 *
 * <p>It does not check its values, like {@link QueueDescription}. Rules have their own description
 * ({@link dev.jitney.model.rule.RuleDescription}).
 *
 * @param topicPath the topic's name as created
 * @param name the subscription's own name as created, case kept
 * @param lockDurationMs 5 s to 5 min (LOCK-1)
 * @param requiresSession fixed at creation (SESS-1)
 * @param defaultMessageTimeToLiveMs default and maximum time to live of a message (TTL-14, TTL-15)
 * @param deadLetteringOnMessageExpiration whether expired messages are kept in the dead-letter queue (TTL-22)
 * @param deadLetteringOnFilterEvaluationExceptions whether a message is dead-lettered if the evaluation of its filter
 *     fails (DLQ-14)
 * @param maxDeliveryCount deliveries before a message is dead-lettered (DLQ-19)
 * @param enableBatchedOperations whether accesses to the store may be batched (ENT-2)
 * @param status the status, which decides on the operations that are allowed (SUSP-3)
 * @param forwardTo destination of every message as an absolute URL or as a path, or null (FWD-1)
 * @param userMetadata free text up to 1,024 characters, or null
 * @param forwardDeadLetteredMessagesTo destination of dead-lettered messages in the same form, or null (FWD-11)
 * @param autoDeleteOnIdleMs idle time after which the subscription is deleted (IDLE-3)
 * @param clientAffine whether the subscription belongs to one JMS client; stored for compatibility, without effect
 */
public record SubscriptionDescription(
        String topicPath,
        String name,
        long lockDurationMs,
        boolean requiresSession,
        long defaultMessageTimeToLiveMs,
        boolean deadLetteringOnMessageExpiration,
        boolean deadLetteringOnFilterEvaluationExceptions,
        int maxDeliveryCount,
        boolean enableBatchedOperations,
        EntityStatus status,
        @Nullable String forwardTo,
        @Nullable String userMetadata,
        @Nullable String forwardDeadLetteredMessagesTo,
        long autoDeleteOnIdleMs,
        boolean clientAffine)
        implements EntityDescription {

    public SubscriptionDescription {
        Objects.requireNonNull(topicPath, "topicPath");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(status, "status");
    }

    /** Returns a builder of a subscription with that name and every default of chapter 19. */
    public static Builder of(String topicPath, String name) {
        return new Builder(topicPath, name);
    }

    @Override
    public Builder toBuilder() {
        Builder b = new Builder(topicPath, name);
        b.lockDurationMs = lockDurationMs;
        b.requiresSession = requiresSession;
        b.defaultMessageTimeToLiveMs = defaultMessageTimeToLiveMs;
        b.deadLetteringOnMessageExpiration = deadLetteringOnMessageExpiration;
        b.deadLetteringOnFilterEvaluationExceptions = deadLetteringOnFilterEvaluationExceptions;
        b.maxDeliveryCount = maxDeliveryCount;
        b.enableBatchedOperations = enableBatchedOperations;
        b.status = status;
        b.forwardTo = forwardTo;
        b.userMetadata = userMetadata;
        b.forwardDeadLetteredMessagesTo = forwardDeadLetteredMessagesTo;
        b.autoDeleteOnIdleMs = autoDeleteOnIdleMs;
        b.clientAffine = clientAffine;
        return b;
    }

    /** Returns {@code topic/Subscriptions/name}, the path of the subscription. */
    @Override
    public String path() {
        return pathOf(topicPath, name);
    }

    /** Returns the path of a subscription. */
    public static String pathOf(String topicPath, String name) {
        return topicPath + "/Subscriptions/" + name;
    }

    /** Returns an empty list: the rules of the topic and the namespace apply to subscriptions (HTTP reference 1.6). */
    @Override
    public List<AccessRule> accessRules() {
        return List.of();
    }

    /** Returns false: a subscription is partitioned if its topic is. */
    @Override
    public boolean enablePartitioning() {
        return false;
    }

    /** A builder of a description; not thread-safe. */
    public static final class Builder implements EntityDescription.Builder<SubscriptionDescription> {
        private String topicPath;
        private String name;
        private long lockDurationMs = 60_000;
        private boolean requiresSession;
        private long defaultMessageTimeToLiveMs = MessageView.NEVER;
        private boolean deadLetteringOnMessageExpiration;
        private boolean deadLetteringOnFilterEvaluationExceptions = true;
        private int maxDeliveryCount = 10;
        private boolean enableBatchedOperations = true;
        private EntityStatus status = EntityStatus.ACTIVE;
        private @Nullable String forwardTo;
        private @Nullable String userMetadata;
        private @Nullable String forwardDeadLetteredMessagesTo;
        private long autoDeleteOnIdleMs = MessageView.NEVER;
        private boolean clientAffine;

        private Builder(String topicPath, String name) {
            this.topicPath = topicPath;
            this.name = name;
        }

        /** Sets other spellings of the names. */
        public Builder names(String topicPathValue, String nameValue) {
            topicPath = topicPathValue;
            name = nameValue;
            return this;
        }

        public Builder lockDurationMs(long value) {
            lockDurationMs = value;
            return this;
        }

        public Builder requiresSession(boolean value) {
            requiresSession = value;
            return this;
        }

        public Builder defaultMessageTimeToLiveMs(long value) {
            defaultMessageTimeToLiveMs = value;
            return this;
        }

        public Builder deadLetteringOnMessageExpiration(boolean value) {
            deadLetteringOnMessageExpiration = value;
            return this;
        }

        public Builder deadLetteringOnFilterEvaluationExceptions(boolean value) {
            deadLetteringOnFilterEvaluationExceptions = value;
            return this;
        }

        public Builder maxDeliveryCount(int value) {
            maxDeliveryCount = value;
            return this;
        }

        public Builder enableBatchedOperations(boolean value) {
            enableBatchedOperations = value;
            return this;
        }

        public Builder status(EntityStatus value) {
            status = value;
            return this;
        }

        public Builder forwardTo(@Nullable String value) {
            forwardTo = value;
            return this;
        }

        public Builder userMetadata(@Nullable String value) {
            userMetadata = value;
            return this;
        }

        public Builder forwardDeadLetteredMessagesTo(@Nullable String value) {
            forwardDeadLetteredMessagesTo = value;
            return this;
        }

        public Builder autoDeleteOnIdleMs(long value) {
            autoDeleteOnIdleMs = value;
            return this;
        }

        public Builder clientAffine(boolean value) {
            clientAffine = value;
            return this;
        }

        @Override
        public SubscriptionDescription build() {
            return new SubscriptionDescription(
                    topicPath,
                    name,
                    lockDurationMs,
                    requiresSession,
                    defaultMessageTimeToLiveMs,
                    deadLetteringOnMessageExpiration,
                    deadLetteringOnFilterEvaluationExceptions,
                    maxDeliveryCount,
                    enableBatchedOperations,
                    status,
                    forwardTo,
                    userMetadata,
                    forwardDeadLetteredMessagesTo,
                    autoDeleteOnIdleMs,
                    clientAffine);
        }
    }
}
