package dev.jitney.model.property;

import static dev.jitney.model.property.EntityProperty.NONE;
import static dev.jitney.model.property.PropertySpecs.ACCESS_RULES;
import static dev.jitney.model.property.PropertySpecs.AUTO_DELETE_ON_IDLE;
import static dev.jitney.model.property.PropertySpecs.DEFAULT_MESSAGE_TIME_TO_LIVE;
import static dev.jitney.model.property.PropertySpecs.DUPLICATE_DETECTION_HISTORY_TIME_WINDOW;
import static dev.jitney.model.property.PropertySpecs.ENABLE_BATCHED_OPERATIONS;
import static dev.jitney.model.property.PropertySpecs.ENABLE_EXPRESS;
import static dev.jitney.model.property.PropertySpecs.ENABLE_FILTERING_MESSAGES_BEFORE_PUBLISHING;
import static dev.jitney.model.property.PropertySpecs.ENABLE_PARTITIONING;
import static dev.jitney.model.property.PropertySpecs.ENABLE_SUBSCRIPTION_PARTITIONING;
import static dev.jitney.model.property.PropertySpecs.MAX_MESSAGE_SIZE_IN_KILOBYTES;
import static dev.jitney.model.property.PropertySpecs.MAX_SIZE_IN_MEGABYTES;
import static dev.jitney.model.property.PropertySpecs.REQUIRES_DUPLICATE_DETECTION;
import static dev.jitney.model.property.PropertySpecs.STATUS;
import static dev.jitney.model.property.PropertySpecs.SUPPORT_ORDERING;
import static dev.jitney.model.property.PropertySpecs.USER_METADATA;

import dev.jitney.model.EntityStatus;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.TopicDescription.Builder;
import java.util.List;

/**
 * The properties of topics, in the order in which they are checked: getter and setter, then the position of the property
 * in the row, in the Atom entry and in the configuration file. The builder has the defaults.
 */
public final class TopicProperties {

    /** The table of properties. */
    public static final EntityTable<TopicDescription> TABLE = new EntityTable<>(
            TopicDescription.named("topic").build(),
            TopicDescription::toBuilder,
            List.of(
                    // getter, setter, at(row, Atom, file)
                    ENABLE_PARTITIONING
                            .of(TopicDescription::enablePartitioning, Builder::enablePartitioning)
                            .at(12, 12, 12),
                    REQUIRES_DUPLICATE_DETECTION
                            .of(TopicDescription::requiresDuplicateDetection, Builder::requiresDuplicateDetection)
                            .at(4, 3, 3),
                    ENABLE_SUBSCRIPTION_PARTITIONING
                            .of(
                                    TopicDescription::enableSubscriptionPartitioning,
                                    Builder::enableSubscriptionPartitioning)
                            .at(13, 13, NONE),
                    ENABLE_FILTERING_MESSAGES_BEFORE_PUBLISHING
                            .of(
                                    TopicDescription::enableFilteringMessagesBeforePublishing,
                                    Builder::enableFilteringMessagesBeforePublishing)
                            .at(7, 6, 11),
                    MAX_SIZE_IN_MEGABYTES
                            .of(TopicDescription::maxSizeInMegabytes, Builder::maxSizeInMegabytes)
                            .at(2, 2, 5),
                    MAX_MESSAGE_SIZE_IN_KILOBYTES
                            .of(TopicDescription::maxMessageSizeInKilobytes, Builder::maxMessageSizeInKilobytes)
                            .at(3, 15, 6),
                    STATUS.of(TopicDescription::status, Builder::status)
                            .at(8, 8, 7)
                            .check((topic, limits) -> PropertyChecks.status(
                                    topic, EntityStatus.RECEIVE_DISABLED, "Active, Disabled or SendDisabled")),
                    ENABLE_EXPRESS
                            .of(TopicDescription::enableExpress, Builder::enableExpress)
                            .at(14, 14, 13)
                            .check((topic, limits) -> PropertyChecks.express(
                                    topic.enableExpress(),
                                    topic.requiresDuplicateDetection(),
                                    limits.tier() == TierProfile.PREMIUM)),
                    DEFAULT_MESSAGE_TIME_TO_LIVE
                            .of(TopicDescription::defaultMessageTimeToLiveMs, Builder::defaultMessageTimeToLiveMs)
                            .at(1, 1, 1),
                    AUTO_DELETE_ON_IDLE
                            .of(TopicDescription::autoDeleteOnIdleMs, Builder::autoDeleteOnIdleMs)
                            .at(11, 11, 4),
                    DUPLICATE_DETECTION_HISTORY_TIME_WINDOW
                            .of(
                                    TopicDescription::duplicateDetectionHistoryTimeWindowMs,
                                    Builder::duplicateDetectionHistoryTimeWindowMs)
                            .at(5, 4, 2)
                            .check((topic, limits) -> PropertyChecks.duplicateWindow(
                                    topic.requiresDuplicateDetection(), topic.duplicateDetectionHistoryTimeWindowMs())),
                    USER_METADATA
                            .of(TopicDescription::userMetadata, Builder::userMetadata)
                            .at(9, 9, 8),
                    ACCESS_RULES
                            .of(TopicDescription::accessRules, Builder::accessRules)
                            .at(15, 7, 14),
                    ENABLE_BATCHED_OPERATIONS
                            .of(TopicDescription::enableBatchedOperations, Builder::enableBatchedOperations)
                            .at(6, 5, 9),
                    SUPPORT_ORDERING
                            .of(TopicDescription::supportOrdering, Builder::supportOrdering)
                            .at(10, 10, 10)));

    private TopicProperties() {}
}
