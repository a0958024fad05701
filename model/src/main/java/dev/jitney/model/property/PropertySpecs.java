package dev.jitney.model.property;

import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.MessageView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of each property of entities (semantics chapter 19), in alphabetical order. Which kinds of entities have it
 * say {@link QueueProperties}, {@link TopicProperties} and {@link SubscriptionProperties}.
 */
public final class PropertySpecs {
    private static final long SECOND_MS = 1_000;
    private static final long MINUTE_MS = 60 * SECOND_MS;
    private static final long HOUR_MS = 60 * MINUTE_MS;
    private static final long DAY_MS = 24 * HOUR_MS;

    /** The version of the API that brought large messages. */
    private static final String LARGE_MESSAGES = "2021-05";

    static final PropertySpec<List<AccessRule>> ACCESS_RULES = new PropertySpec<List<AccessRule>>(
                    "AuthorizationRules",
                    PropertyType.ACCESS_RULES,
                    "Shared access rules of the entity itself, at most 12 (QUOTA-9). Member `AccessRules` or"
                            + " `AuthorizationRules` beside `Properties`.")
            .check((rules, limits) -> AccessRuleChecks.refuse(rules));

    static final PropertySpec<Long> AUTO_DELETE_ON_IDLE = new PropertySpec<Long>(
                    "AutoDeleteOnIdle", PropertyType.DURATION, "Idle time after which the entity goes away (IDLE-3).")
            .range(5 * MINUTE_MS, MessageView.NEVER);

    static final PropertySpec<Boolean> CLIENT_AFFINE = new PropertySpec<Boolean>(
                    "IsClientAffine", PropertyType.FLAG, "It belongs to one JMS client; kept for clients that set it.")
            .since(LARGE_MESSAGES);

    static final PropertySpec<Boolean> DEAD_LETTERING_ON_FILTER_EVALUATION_EXCEPTIONS = new PropertySpec<>(
            "DeadLetteringOnFilterEvaluationExceptions",
            PropertyType.FLAG,
            "A message whose filter fails is dead-lettered (DLQ-14).");

    static final PropertySpec<Boolean> DEAD_LETTERING_ON_MESSAGE_EXPIRATION = new PropertySpec<Boolean>(
                    "DeadLetteringOnMessageExpiration",
                    PropertyType.FLAG,
                    "Expired messages are kept in the dead-letter queue (TTL-22).")
            .inEmulator();

    static final PropertySpec<Long> DEFAULT_MESSAGE_TIME_TO_LIVE = new PropertySpec<Long>(
                    "DefaultMessageTimeToLive",
                    PropertyType.TIME_TO_LIVE,
                    "Default and ceiling of a message's time to live (TTL-14, TTL-15).")
            .range(SECOND_MS, MessageView.NEVER)
            .inEmulator(5 * MINUTE_MS, HOUR_MS, HOUR_MS)
            .check(PropertyChecks::timeToLive);

    public static final PropertySpec<Long> DUPLICATE_DETECTION_HISTORY_TIME_WINDOW = new PropertySpec<Long>(
                    "DuplicateDetectionHistoryTimeWindow",
                    PropertyType.DURATION,
                    "The time that message ids are remembered (DUP-3). The file takes times shorter than 20 s and uses"
                            + " 20 s then.")
            .range(5 * SECOND_MS, 7 * DAY_MS)
            .inEmulator(5 * SECOND_MS, 5 * MINUTE_MS, 20 * SECOND_MS);

    static final PropertySpec<Boolean> ENABLE_BATCHED_OPERATIONS =
            new PropertySpec<>("EnableBatchedOperations", PropertyType.FLAG, "Store accesses may be grouped (ENT-2).");

    static final PropertySpec<Boolean> ENABLE_EXPRESS = new PropertySpec<>(
            "EnableExpress",
            PropertyType.FLAG,
            "Senders may give up durability for speed; messages are stored durably all the same.");

    static final PropertySpec<Boolean> ENABLE_FILTERING_MESSAGES_BEFORE_PUBLISHING = new PropertySpec<Boolean>(
                    "EnableFilteringMessagesBeforePublishing",
                    PropertyType.FLAG,
                    "A message that no subscription wants is refused.")
            .element("FilteringMessagesBeforePublishing")
            .fixed();

    public static final PropertySpec<Boolean> ENABLE_PARTITIONING = new PropertySpec<Boolean>(
                    "EnablePartitioning",
                    PropertyType.FLAG,
                    "It is divided into partitions (PART-8); the default is that of the namespace.")
            .fixed();

    static final PropertySpec<Boolean> ENABLE_SUBSCRIPTION_PARTITIONING = new PropertySpec<Boolean>(
                    "EnableSubscriptionPartitioning", PropertyType.FLAG, "Kept for clients that set it.")
            .fixed();

    static final PropertySpec<@Nullable String> FORWARD_DEAD_LETTERED_MESSAGES_TO = new PropertySpec<@Nullable String>(
                    "ForwardDeadLetteredMessagesTo",
                    PropertyType.DESTINATION,
                    "Destination of dead-lettered messages (FWD-11).")
            .inEmulator();

    static final PropertySpec<@Nullable String> FORWARD_TO = new PropertySpec<@Nullable String>(
                    "ForwardTo", PropertyType.DESTINATION, "Destination of every message (FWD-1).")
            .inEmulator();

    static final PropertySpec<Long> LOCK_DURATION = new PropertySpec<Long>(
                    "LockDuration", PropertyType.DURATION, "The time that a receiver has a message to itself (LOCK-1).")
            .range(5 * SECOND_MS, PropertyChecks.LOCK_DURATION_MAX_MS)
            .inEmulator()
            .check((valueMs, limits) -> PropertyChecks.lockDuration(valueMs));

    static final PropertySpec<Integer> MAX_DELIVERY_COUNT = new PropertySpec<Integer>(
                    "MaxDeliveryCount", PropertyType.COUNT, "Deliveries before a message is dead-lettered (DLQ-19).")
            .range(1, Integer.MAX_VALUE)
            .unit("deliveries")
            .inEmulator(1, 10, 3);

    static final PropertySpec<@Nullable Long> MAX_MESSAGE_SIZE_IN_KILOBYTES = new PropertySpec<@Nullable Long>(
                    "MaxMessageSizeInKilobytes",
                    PropertyType.KILOBYTES,
                    "The largest message; the default is that of the tier, and only PREMIUM has others (QUOTA-5).")
            .since(LARGE_MESSAGES)
            .range(1, 102_400)
            .quota()
            .check(SizeChecks::message);

    static final PropertySpec<Long> MAX_SIZE_IN_MEGABYTES = new PropertySpec<Long>(
                    "MaxSizeInMegabytes",
                    PropertyType.MEGABYTES,
                    "Room for messages (QUOTA-1); the tier decides which sizes there are.")
            .range(1, 81_920)
            .quota()
            .check(SizeChecks::entity);

    static final PropertySpec<Integer> MAX_RECEIVERS = new PropertySpec<Integer>(
                    "MaxReceivers", PropertyType.COUNT, "Receivers that may be open at a time.")
            .since("2024-05")
            .range(1, 1_000)
            .unit("receivers");

    public static final PropertySpec<Boolean> REQUIRES_DUPLICATE_DETECTION = new PropertySpec<Boolean>(
                    "RequiresDuplicateDetection", PropertyType.FLAG, "A message id counts once (DUP-1).")
            .inEmulator()
            .fixed();

    static final PropertySpec<Boolean> REQUIRES_SESSION = new PropertySpec<Boolean>(
                    "RequiresSession", PropertyType.FLAG, "Messages are received by session (SESS-1).")
            .inEmulator()
            .fixed();

    static final PropertySpec<EntityStatus> STATUS =
            new PropertySpec<>("Status", PropertyType.STATUS, "The operations that are admitted (SUSP-1).");

    static final PropertySpec<Boolean> SUPPORT_ORDERING =
            new PropertySpec<>("SupportOrdering", PropertyType.FLAG, "The order of messages is kept; it always is.");

    static final PropertySpec<@Nullable String> USER_METADATA = new PropertySpec<@Nullable String>(
                    "UserMetadata", PropertyType.TEXT, "Text for your own use.")
            .range(0, 1_024);

    private PropertySpecs() {}
}
