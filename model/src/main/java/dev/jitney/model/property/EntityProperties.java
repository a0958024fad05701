package dev.jitney.model.property;

import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The table of the properties of entities (semantics chapter 19). The first half says what each property means, the second
 * half which kinds of entities have it, in the order in which they are judged.
 *
 * <p>A property is added here, to the descriptions that have it, and to the command line's {@code QueueType} and its like:
 * see {@code docs/guides/add-a-property.md}. Defaults are those of the builders of the descriptions.
 */
public final class EntityProperties {
    private static final long SECOND_MS = 1_000;
    private static final long MINUTE_MS = 60 * SECOND_MS;
    private static final long HOUR_MS = 60 * MINUTE_MS;
    private static final long DAY_MS = 24 * HOUR_MS;

    /** The version of the API that brought large messages. */
    private static final String LARGE_MESSAGES = "2021-05";

    // --- the meaning of each property, in alphabetical order ---

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
                    "IsClientAffine",
                    PropertyType.FLAG,
                    "Whether it belongs to one JMS client; kept for clients that set it.")
            .since(LARGE_MESSAGES);

    static final PropertySpec<Boolean> DEAD_LETTERING_ON_FILTER_EVALUATION_EXCEPTIONS = new PropertySpec<>(
            "DeadLetteringOnFilterEvaluationExceptions",
            PropertyType.FLAG,
            "Whether a message whose filter fails is dead-lettered (DLQ-14).");

    static final PropertySpec<Boolean> DEAD_LETTERING_ON_MESSAGE_EXPIRATION = new PropertySpec<Boolean>(
                    "DeadLetteringOnMessageExpiration",
                    PropertyType.FLAG,
                    "Whether expired messages are kept in the dead-letter queue (TTL-22).")
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
                    "How long message ids are remembered (DUP-3). The file takes times that are shorter than 20 s and uses"
                            + " 20 s then.")
            .range(5 * SECOND_MS, 7 * DAY_MS)
            .inEmulator(5 * SECOND_MS, 5 * MINUTE_MS, 20 * SECOND_MS);

    static final PropertySpec<Boolean> ENABLE_BATCHED_OPERATIONS = new PropertySpec<>(
            "EnableBatchedOperations", PropertyType.FLAG, "Whether store accesses may be grouped (ENT-2).");

    static final PropertySpec<Boolean> ENABLE_EXPRESS = new PropertySpec<>(
            "EnableExpress",
            PropertyType.FLAG,
            "Whether the sender may give up durability for speed; messages are stored durably all the same.");

    static final PropertySpec<Boolean> ENABLE_FILTERING_MESSAGES_BEFORE_PUBLISHING = new PropertySpec<Boolean>(
                    "EnableFilteringMessagesBeforePublishing",
                    PropertyType.FLAG,
                    "Whether a message that no subscription wants is refused.")
            .element("FilteringMessagesBeforePublishing")
            .fixed();

    public static final PropertySpec<Boolean> ENABLE_PARTITIONING = new PropertySpec<Boolean>(
                    "EnablePartitioning",
                    PropertyType.FLAG,
                    "Whether it is divided into partitions (PART-8); the default is that of the namespace.")
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
                    "LockDuration", PropertyType.DURATION, "How long a receiver has a message to itself (LOCK-1).")
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
                    "Room for messages (QUOTA-1); which sizes there are, the tier decides.")
            .range(1, 81_920)
            .quota()
            .check(SizeChecks::entity);

    public static final PropertySpec<Boolean> REQUIRES_DUPLICATE_DETECTION = new PropertySpec<Boolean>(
                    "RequiresDuplicateDetection", PropertyType.FLAG, "Whether a message id counts once (DUP-1).")
            .inEmulator()
            .fixed();

    static final PropertySpec<Boolean> REQUIRES_SESSION = new PropertySpec<Boolean>(
                    "RequiresSession", PropertyType.FLAG, "Whether messages are received by session (SESS-1).")
            .inEmulator()
            .fixed();

    static final PropertySpec<EntityStatus> STATUS =
            new PropertySpec<>("Status", PropertyType.STATUS, "Which operations are admitted (SUSP-1).");

    static final PropertySpec<Boolean> SUPPORT_ORDERING = new PropertySpec<>(
            "SupportOrdering", PropertyType.FLAG, "Whether the order of messages is kept; it always is.");

    static final PropertySpec<@Nullable String> USER_METADATA = new PropertySpec<@Nullable String>(
                    "UserMetadata", PropertyType.TEXT, "Text for your own use.")
            .range(0, 1_024);

    // --- the kinds of entities, each in the order in which its properties are judged ---

    /** The properties of queues. */
    public static final EntityTable<QueueDescription> QUEUE = new EntityTable<>(
            QueueDescription.named("queue").build(),
            QueueDescription::toBuilder,
            List.of(
                    ENABLE_PARTITIONING
                            .of(QueueDescription::enablePartitioning, QueueDescription.Builder::enablePartitioning)
                            .row(11)
                            .atom(16)
                            .member(17),
                    REQUIRES_SESSION
                            .of(QueueDescription::requiresSession, QueueDescription.Builder::requiresSession)
                            .row(10)
                            .atom(4)
                            .member(7)
                            .notInBasic("sessions", "false"),
                    REQUIRES_DUPLICATE_DETECTION
                            .of(
                                    QueueDescription::requiresDuplicateDetection,
                                    QueueDescription.Builder::requiresDuplicateDetection)
                            .row(8)
                            .atom(3)
                            .member(6)
                            .notInBasic("duplicate detection", "false"),
                    MAX_SIZE_IN_MEGABYTES
                            .of(QueueDescription::maxSizeInMegabytes, QueueDescription.Builder::maxSizeInMegabytes)
                            .row(2)
                            .atom(2)
                            .member(11),
                    MAX_MESSAGE_SIZE_IN_KILOBYTES
                            .of(
                                    QueueDescription::maxMessageSizeInKilobytes,
                                    QueueDescription.Builder::maxMessageSizeInKilobytes)
                            .row(3)
                            .atom(19)
                            .member(12),
                    FORWARD_TO
                            .of(QueueDescription::forwardTo, QueueDescription.Builder::forwardTo)
                            .row(12)
                            .atom(12)
                            .member(9)
                            .notInBasic("forwarding", "nothing"),
                    FORWARD_DEAD_LETTERED_MESSAGES_TO
                            .of(
                                    QueueDescription::forwardDeadLetteredMessagesTo,
                                    QueueDescription.Builder::forwardDeadLetteredMessagesTo)
                            .row(13)
                            .atom(17)
                            .member(8)
                            .notInBasic("forwarding", "nothing"),
                    ENABLE_EXPRESS
                            .of(QueueDescription::enableExpress, QueueDescription.Builder::enableExpress)
                            .row(18, 2)
                            .atom(18)
                            .member(18)
                            .check((queue, limits) -> PropertyChecks.express(
                                    queue.enableExpress(),
                                    queue.requiresDuplicateDetection(),
                                    limits.tier() == TierProfile.PREMIUM)),
                    LOCK_DURATION
                            .of(QueueDescription::lockDurationMs, QueueDescription.Builder::lockDurationMs)
                            .row(1)
                            .atom(1)
                            .member(1),
                    DEFAULT_MESSAGE_TIME_TO_LIVE
                            .of(
                                    QueueDescription::defaultMessageTimeToLiveMs,
                                    QueueDescription.Builder::defaultMessageTimeToLiveMs)
                            .row(4)
                            .atom(5)
                            .member(2),
                    AUTO_DELETE_ON_IDLE
                            .of(QueueDescription::autoDeleteOnIdleMs, QueueDescription.Builder::autoDeleteOnIdleMs)
                            .row(5)
                            .atom(15)
                            .member(10)
                            .notInBasic("deletion of idle entities", "the maximum time span"),
                    DUPLICATE_DETECTION_HISTORY_TIME_WINDOW
                            .of(
                                    QueueDescription::duplicateDetectionHistoryTimeWindowMs,
                                    QueueDescription.Builder::duplicateDetectionHistoryTimeWindowMs)
                            .row(9)
                            .atom(7)
                            .member(5)
                            .check((queue, limits) -> PropertyChecks.duplicateWindow(
                                    queue.requiresDuplicateDetection(), queue.duplicateDetectionHistoryTimeWindowMs())),
                    MAX_DELIVERY_COUNT
                            .of(QueueDescription::maxDeliveryCount, QueueDescription.Builder::maxDeliveryCount)
                            .row(6)
                            .atom(8)
                            .member(3),
                    USER_METADATA
                            .of(QueueDescription::userMetadata, QueueDescription.Builder::userMetadata)
                            .row(16)
                            .atom(13)
                            .member(14),
                    ACCESS_RULES
                            .of(QueueDescription::accessRules, QueueDescription.Builder::accessRules)
                            .row(17)
                            .atom(10)
                            .member(19),
                    DEAD_LETTERING_ON_MESSAGE_EXPIRATION
                            .of(
                                    QueueDescription::deadLetteringOnMessageExpiration,
                                    QueueDescription.Builder::deadLetteringOnMessageExpiration)
                            .row(7)
                            .atom(6)
                            .member(4),
                    ENABLE_BATCHED_OPERATIONS
                            .of(
                                    QueueDescription::enableBatchedOperations,
                                    QueueDescription.Builder::enableBatchedOperations)
                            .row(14)
                            .atom(9)
                            .member(15),
                    STATUS.of(QueueDescription::status, QueueDescription.Builder::status)
                            .row(15)
                            .atom(11)
                            .member(13),
                    SUPPORT_ORDERING
                            .of(QueueDescription::supportOrdering, QueueDescription.Builder::supportOrdering)
                            .row(19, 2)
                            .atom(14)
                            .member(16)));

    /** The properties of topics. */
    public static final EntityTable<TopicDescription> TOPIC = new EntityTable<>(
            TopicDescription.named("topic").build(),
            TopicDescription::toBuilder,
            List.of(
                    ENABLE_PARTITIONING
                            .of(TopicDescription::enablePartitioning, TopicDescription.Builder::enablePartitioning)
                            .row(12)
                            .atom(12)
                            .member(12),
                    REQUIRES_DUPLICATE_DETECTION
                            .of(
                                    TopicDescription::requiresDuplicateDetection,
                                    TopicDescription.Builder::requiresDuplicateDetection)
                            .row(4)
                            .atom(3)
                            .member(3),
                    ENABLE_SUBSCRIPTION_PARTITIONING
                            .of(
                                    TopicDescription::enableSubscriptionPartitioning,
                                    TopicDescription.Builder::enableSubscriptionPartitioning)
                            .row(13)
                            .atom(13),
                    ENABLE_FILTERING_MESSAGES_BEFORE_PUBLISHING
                            .of(
                                    TopicDescription::enableFilteringMessagesBeforePublishing,
                                    TopicDescription.Builder::enableFilteringMessagesBeforePublishing)
                            .row(7)
                            .atom(6)
                            .member(11),
                    MAX_SIZE_IN_MEGABYTES
                            .of(TopicDescription::maxSizeInMegabytes, TopicDescription.Builder::maxSizeInMegabytes)
                            .row(2)
                            .atom(2)
                            .member(5),
                    MAX_MESSAGE_SIZE_IN_KILOBYTES
                            .of(
                                    TopicDescription::maxMessageSizeInKilobytes,
                                    TopicDescription.Builder::maxMessageSizeInKilobytes)
                            .row(3)
                            .atom(15)
                            .member(6),
                    STATUS.of(TopicDescription::status, TopicDescription.Builder::status)
                            .row(8)
                            .atom(8)
                            .member(7)
                            .check((topic, limits) -> PropertyChecks.status(
                                    topic, EntityStatus.RECEIVE_DISABLED, "Active, Disabled or SendDisabled")),
                    ENABLE_EXPRESS
                            .of(TopicDescription::enableExpress, TopicDescription.Builder::enableExpress)
                            .row(14)
                            .atom(14)
                            .member(13)
                            .check((topic, limits) -> PropertyChecks.express(
                                    topic.enableExpress(),
                                    topic.requiresDuplicateDetection(),
                                    limits.tier() == TierProfile.PREMIUM)),
                    DEFAULT_MESSAGE_TIME_TO_LIVE
                            .of(
                                    TopicDescription::defaultMessageTimeToLiveMs,
                                    TopicDescription.Builder::defaultMessageTimeToLiveMs)
                            .row(1)
                            .atom(1)
                            .member(1),
                    AUTO_DELETE_ON_IDLE
                            .of(TopicDescription::autoDeleteOnIdleMs, TopicDescription.Builder::autoDeleteOnIdleMs)
                            .row(11)
                            .atom(11)
                            .member(4),
                    DUPLICATE_DETECTION_HISTORY_TIME_WINDOW
                            .of(
                                    TopicDescription::duplicateDetectionHistoryTimeWindowMs,
                                    TopicDescription.Builder::duplicateDetectionHistoryTimeWindowMs)
                            .row(5)
                            .atom(4)
                            .member(2)
                            .check((topic, limits) -> PropertyChecks.duplicateWindow(
                                    topic.requiresDuplicateDetection(), topic.duplicateDetectionHistoryTimeWindowMs())),
                    USER_METADATA
                            .of(TopicDescription::userMetadata, TopicDescription.Builder::userMetadata)
                            .row(9)
                            .atom(9)
                            .member(8),
                    ACCESS_RULES
                            .of(TopicDescription::accessRules, TopicDescription.Builder::accessRules)
                            .row(15)
                            .atom(7)
                            .member(14),
                    ENABLE_BATCHED_OPERATIONS
                            .of(
                                    TopicDescription::enableBatchedOperations,
                                    TopicDescription.Builder::enableBatchedOperations)
                            .row(6)
                            .atom(5)
                            .member(9),
                    SUPPORT_ORDERING
                            .of(TopicDescription::supportOrdering, TopicDescription.Builder::supportOrdering)
                            .row(10)
                            .atom(10)
                            .member(10)));

    /** The properties of subscriptions. */
    public static final EntityTable<SubscriptionDescription> SUBSCRIPTION = new EntityTable<>(
            SubscriptionDescription.of("topic", "subscription").build(),
            SubscriptionDescription::toBuilder,
            List.of(
                    REQUIRES_SESSION
                            .of(
                                    SubscriptionDescription::requiresSession,
                                    SubscriptionDescription.Builder::requiresSession)
                            .row(2)
                            .atom(2)
                            .member(5),
                    STATUS.of(SubscriptionDescription::status, SubscriptionDescription.Builder::status)
                            .row(8)
                            .atom(8)
                            .member(9)
                            .check((subscription, limits) -> PropertyChecks.status(
                                    subscription, EntityStatus.SEND_DISABLED, "Active, Disabled or ReceiveDisabled")),
                    LOCK_DURATION
                            .of(
                                    SubscriptionDescription::lockDurationMs,
                                    SubscriptionDescription.Builder::lockDurationMs)
                            .row(1)
                            .atom(1)
                            .member(1),
                    // The newer Java client never sends the time to live of a subscription it changes (HTTP reference
                    // 2.4).
                    DEFAULT_MESSAGE_TIME_TO_LIVE
                            .of(
                                    SubscriptionDescription::defaultMessageTimeToLiveMs,
                                    SubscriptionDescription.Builder::defaultMessageTimeToLiveMs)
                            .row(3)
                            .atom(3)
                            .member(2)
                            .keptWhenOmitted(),
                    AUTO_DELETE_ON_IDLE
                            .of(
                                    SubscriptionDescription::autoDeleteOnIdleMs,
                                    SubscriptionDescription.Builder::autoDeleteOnIdleMs)
                            .row(12)
                            .atom(12)
                            .member(8),
                    MAX_DELIVERY_COUNT
                            .of(
                                    SubscriptionDescription::maxDeliveryCount,
                                    SubscriptionDescription.Builder::maxDeliveryCount)
                            .row(6)
                            .atom(6)
                            .member(3),
                    USER_METADATA
                            .of(SubscriptionDescription::userMetadata, SubscriptionDescription.Builder::userMetadata)
                            .row(10)
                            .atom(10)
                            .member(10),
                    FORWARD_TO
                            .of(SubscriptionDescription::forwardTo, SubscriptionDescription.Builder::forwardTo)
                            .row(9)
                            .atom(9)
                            .member(7),
                    FORWARD_DEAD_LETTERED_MESSAGES_TO
                            .of(
                                    SubscriptionDescription::forwardDeadLetteredMessagesTo,
                                    SubscriptionDescription.Builder::forwardDeadLetteredMessagesTo)
                            .row(11)
                            .atom(11)
                            .member(6),
                    DEAD_LETTERING_ON_MESSAGE_EXPIRATION
                            .of(
                                    SubscriptionDescription::deadLetteringOnMessageExpiration,
                                    SubscriptionDescription.Builder::deadLetteringOnMessageExpiration)
                            .row(4)
                            .atom(4)
                            .member(4),
                    DEAD_LETTERING_ON_FILTER_EVALUATION_EXCEPTIONS
                            .of(
                                    SubscriptionDescription::deadLetteringOnFilterEvaluationExceptions,
                                    SubscriptionDescription.Builder::deadLetteringOnFilterEvaluationExceptions)
                            .row(5)
                            .atom(5)
                            .member(12),
                    ENABLE_BATCHED_OPERATIONS
                            .of(
                                    SubscriptionDescription::enableBatchedOperations,
                                    SubscriptionDescription.Builder::enableBatchedOperations)
                            .row(7)
                            .atom(7)
                            .member(11),
                    CLIENT_AFFINE
                            .of(SubscriptionDescription::clientAffine, SubscriptionDescription.Builder::clientAffine)
                            .row(13)
                            .atom(13)
                            .keptWhenOmitted()));

    private EntityProperties() {}
}
