package dev.jitney.model.property;

import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.MessageView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of each property of entities (semantics chapter 19), in alphabetical order. {@link QueueProperties},
 * {@link TopicProperties} and {@link SubscriptionProperties} list the properties of each kind of entity.
 */
public final class PropertySpecs {
    private static final long SECOND_MS = 1_000;
    private static final long MINUTE_MS = 60 * SECOND_MS;
    private static final long HOUR_MS = 60 * MINUTE_MS;
    private static final long DAY_MS = 24 * HOUR_MS;

    /** The version of the API that introduced large messages. */
    private static final String LARGE_MESSAGES = "2021-05";

    static final PropertySpec<List<AccessRule>> ACCESS_RULES = new PropertySpec<List<AccessRule>>(
                    "AuthorizationRules",
                    PropertyType.ACCESS_RULES,
                    "Shared access rules of this entity, at most 12 (QUOTA-9). In the file this is the member"
                            + " `AccessRules` or `AuthorizationRules` next to `Properties`.")
            .check((rules, limits) -> AccessRuleChecks.refuse(rules));

    static final PropertySpec<Long> AUTO_DELETE_ON_IDLE = new PropertySpec<Long>(
                    "AutoDeleteOnIdle",
                    PropertyType.DURATION,
                    "Idle time after which Jitney deletes the entity (IDLE-3).")
            .range(5 * MINUTE_MS, MessageView.NEVER);

    static final PropertySpec<Boolean> CLIENT_AFFINE = new PropertySpec<Boolean>(
                    "IsClientAffine",
                    PropertyType.FLAG,
                    "Subscription of one JMS client. Stored for compatibility, without effect.")
            .since(LARGE_MESSAGES);

    static final PropertySpec<Boolean> DEAD_LETTERING_ON_FILTER_EVALUATION_EXCEPTIONS = new PropertySpec<>(
            "DeadLetteringOnFilterEvaluationExceptions",
            PropertyType.FLAG,
            "Dead-letter a message if the evaluation of a filter fails (DLQ-14).");

    static final PropertySpec<Boolean> DEAD_LETTERING_ON_MESSAGE_EXPIRATION = new PropertySpec<Boolean>(
                    "DeadLetteringOnMessageExpiration",
                    PropertyType.FLAG,
                    "Move expired messages to the dead-letter queue instead of deleting them (TTL-22).")
            .inEmulator();

    static final PropertySpec<Long> DEFAULT_MESSAGE_TIME_TO_LIVE = new PropertySpec<Long>(
                    "DefaultMessageTimeToLive",
                    PropertyType.TIME_TO_LIVE,
                    "Default and maximum time to live of messages (TTL-14, TTL-15).")
            .range(SECOND_MS, MessageView.NEVER)
            .inEmulator(5 * MINUTE_MS, HOUR_MS, HOUR_MS)
            .check(PropertyChecks::timeToLive);

    public static final PropertySpec<Long> DUPLICATE_DETECTION_HISTORY_TIME_WINDOW = new PropertySpec<Long>(
                    "DuplicateDetectionHistoryTimeWindow",
                    PropertyType.DURATION,
                    "Time for which message ids are kept to detect duplicates, 20 s or more (DUP-3). A file may have"
                            + " PT5S or more, and a value below 20 s becomes 20 s.")
            .range(5 * SECOND_MS, 7 * DAY_MS)
            .inEmulator(5 * SECOND_MS, 5 * MINUTE_MS, 20 * SECOND_MS);

    static final PropertySpec<Boolean> ENABLE_BATCHED_OPERATIONS = new PropertySpec<>(
            "EnableBatchedOperations", PropertyType.FLAG, "Allow Jitney to batch accesses to the store (ENT-2).");

    static final PropertySpec<Boolean> ENABLE_EXPRESS = new PropertySpec<>(
            "EnableExpress",
            PropertyType.FLAG,
            "Accepted for compatibility. Jitney stores messages durably in any case.");

    static final PropertySpec<Boolean> ENABLE_FILTERING_MESSAGES_BEFORE_PUBLISHING = new PropertySpec<Boolean>(
                    "EnableFilteringMessagesBeforePublishing",
                    PropertyType.FLAG,
                    "Refuse a message that matches no subscription.")
            .element("FilteringMessagesBeforePublishing")
            .fixed();

    public static final PropertySpec<Boolean> ENABLE_PARTITIONING = new PropertySpec<Boolean>(
                    "EnablePartitioning",
                    PropertyType.FLAG,
                    "Partition the entity (PART-8). The namespace sets the default.")
            .fixed();

    static final PropertySpec<Boolean> ENABLE_SUBSCRIPTION_PARTITIONING = new PropertySpec<Boolean>(
                    "EnableSubscriptionPartitioning", PropertyType.FLAG, "Stored for compatibility, without effect.")
            .fixed();

    static final PropertySpec<@Nullable String> FORWARD_DEAD_LETTERED_MESSAGES_TO = new PropertySpec<@Nullable String>(
                    "ForwardDeadLetteredMessagesTo",
                    PropertyType.DESTINATION,
                    "Queue or topic to which dead-lettered messages are forwarded (FWD-11).")
            .inEmulator();

    static final PropertySpec<@Nullable String> FORWARD_TO = new PropertySpec<@Nullable String>(
                    "ForwardTo",
                    PropertyType.DESTINATION,
                    "Queue or topic to which all messages are forwarded (FWD-1).")
            .inEmulator();

    static final PropertySpec<Long> LOCK_DURATION = new PropertySpec<Long>(
                    "LockDuration",
                    PropertyType.DURATION,
                    "Time for which a receiver holds the lock of a message (LOCK-1).")
            .range(5 * SECOND_MS, PropertyChecks.LOCK_DURATION_MAX_MS)
            .inEmulator()
            .check((valueMs, limits) -> PropertyChecks.lockDuration(valueMs));

    static final PropertySpec<Integer> MAX_DELIVERY_COUNT = new PropertySpec<Integer>(
                    "MaxDeliveryCount",
                    PropertyType.COUNT,
                    "Number of deliveries after which a message is dead-lettered (DLQ-19).")
            .range(1, Integer.MAX_VALUE)
            .unit("deliveries")
            .inEmulator(1, 10, 3);

    static final PropertySpec<@Nullable Long> MAX_MESSAGE_SIZE_IN_KILOBYTES = new PropertySpec<@Nullable Long>(
                    "MaxMessageSizeInKilobytes",
                    PropertyType.KILOBYTES,
                    "Maximum size of a message. The tier sets the default, and only PREMIUM allows other values"
                            + " (QUOTA-5).")
            .since(LARGE_MESSAGES)
            .range(1, 102_400)
            .quota()
            .check(SizeChecks::message);

    static final PropertySpec<Long> MAX_SIZE_IN_MEGABYTES = new PropertySpec<Long>(
                    "MaxSizeInMegabytes",
                    PropertyType.MEGABYTES,
                    "Maximum size of all messages (QUOTA-1). The tier determines the allowed sizes.")
            .range(1, 81_920)
            .quota()
            .check(SizeChecks::entity);

    public static final PropertySpec<Boolean> REQUIRES_DUPLICATE_DETECTION = new PropertySpec<Boolean>(
                    "RequiresDuplicateDetection",
                    PropertyType.FLAG,
                    "Drop messages whose message id was already sent within the history window (DUP-1).")
            .inEmulator()
            .fixed();

    static final PropertySpec<Boolean> REQUIRES_SESSION = new PropertySpec<Boolean>(
                    "RequiresSession", PropertyType.FLAG, "Deliver messages by session (SESS-1).")
            .inEmulator()
            .fixed();

    static final PropertySpec<EntityStatus> STATUS =
            new PropertySpec<>("Status", PropertyType.STATUS, "Enables or disables sending and receiving (SUSP-1).");

    static final PropertySpec<Boolean> SUPPORT_ORDERING = new PropertySpec<>(
            "SupportOrdering", PropertyType.FLAG, "Keep the order of messages. Jitney always keeps it.");

    static final PropertySpec<@Nullable String> USER_METADATA = new PropertySpec<@Nullable String>(
                    "UserMetadata", PropertyType.TEXT, "Text for your own use.")
            .range(0, 1_024);

    private PropertySpecs() {}
}
