package dev.jitney.model.property;

import static dev.jitney.model.property.PropertySpecs.ACCESS_RULES;
import static dev.jitney.model.property.PropertySpecs.AUTO_DELETE_ON_IDLE;
import static dev.jitney.model.property.PropertySpecs.DEAD_LETTERING_ON_MESSAGE_EXPIRATION;
import static dev.jitney.model.property.PropertySpecs.DEFAULT_MESSAGE_TIME_TO_LIVE;
import static dev.jitney.model.property.PropertySpecs.DUPLICATE_DETECTION_HISTORY_TIME_WINDOW;
import static dev.jitney.model.property.PropertySpecs.ENABLE_BATCHED_OPERATIONS;
import static dev.jitney.model.property.PropertySpecs.ENABLE_EXPRESS;
import static dev.jitney.model.property.PropertySpecs.ENABLE_PARTITIONING;
import static dev.jitney.model.property.PropertySpecs.FORWARD_DEAD_LETTERED_MESSAGES_TO;
import static dev.jitney.model.property.PropertySpecs.FORWARD_TO;
import static dev.jitney.model.property.PropertySpecs.LOCK_DURATION;
import static dev.jitney.model.property.PropertySpecs.MAX_DELIVERY_COUNT;
import static dev.jitney.model.property.PropertySpecs.MAX_MESSAGE_SIZE_IN_KILOBYTES;
import static dev.jitney.model.property.PropertySpecs.MAX_RECEIVERS;
import static dev.jitney.model.property.PropertySpecs.MAX_SIZE_IN_MEGABYTES;
import static dev.jitney.model.property.PropertySpecs.REQUIRES_DUPLICATE_DETECTION;
import static dev.jitney.model.property.PropertySpecs.REQUIRES_SESSION;
import static dev.jitney.model.property.PropertySpecs.STATUS;
import static dev.jitney.model.property.PropertySpecs.SUPPORT_ORDERING;
import static dev.jitney.model.property.PropertySpecs.USER_METADATA;

import dev.jitney.model.QueueDescription;
import dev.jitney.model.QueueDescription.Builder;
import dev.jitney.model.TierProfile;
import java.util.List;

/**
 * The properties of queues, in the order in which they are judged: getter and setter, then the place of the property in the
 * row, in the Atom entry and in the configuration file. Defaults are those of the builder.
 */
public final class QueueProperties {

    /** The table. */
    public static final EntityTable<QueueDescription> TABLE = new EntityTable<>(
            QueueDescription.named("queue").build(),
            QueueDescription::toBuilder,
            List.of(
                    // getter, setter, at(row, Atom, file)
                    ENABLE_PARTITIONING
                            .of(QueueDescription::enablePartitioning, Builder::enablePartitioning)
                            .at(11, 16, 17),
                    REQUIRES_SESSION
                            .of(QueueDescription::requiresSession, Builder::requiresSession)
                            .at(10, 4, 7)
                            .notInBasic("sessions", "false"),
                    REQUIRES_DUPLICATE_DETECTION
                            .of(QueueDescription::requiresDuplicateDetection, Builder::requiresDuplicateDetection)
                            .at(8, 3, 6)
                            .notInBasic("duplicate detection", "false"),
                    MAX_SIZE_IN_MEGABYTES
                            .of(QueueDescription::maxSizeInMegabytes, Builder::maxSizeInMegabytes)
                            .at(2, 2, 11),
                    MAX_MESSAGE_SIZE_IN_KILOBYTES
                            .of(QueueDescription::maxMessageSizeInKilobytes, Builder::maxMessageSizeInKilobytes)
                            .at(3, 19, 12),
                    FORWARD_TO
                            .of(QueueDescription::forwardTo, Builder::forwardTo)
                            .at(12, 12, 9)
                            .notInBasic("forwarding", "nothing"),
                    FORWARD_DEAD_LETTERED_MESSAGES_TO
                            .of(QueueDescription::forwardDeadLetteredMessagesTo, Builder::forwardDeadLetteredMessagesTo)
                            .at(13, 17, 8)
                            .notInBasic("forwarding", "nothing"),
                    ENABLE_EXPRESS
                            .of(QueueDescription::enableExpress, Builder::enableExpress)
                            .at(18, 18, 18)
                            .sinceRow(2)
                            .check((queue, limits) -> PropertyChecks.express(
                                    queue.enableExpress(),
                                    queue.requiresDuplicateDetection(),
                                    limits.tier() == TierProfile.PREMIUM)),
                    LOCK_DURATION
                            .of(QueueDescription::lockDurationMs, Builder::lockDurationMs)
                            .at(1, 1, 1),
                    DEFAULT_MESSAGE_TIME_TO_LIVE
                            .of(QueueDescription::defaultMessageTimeToLiveMs, Builder::defaultMessageTimeToLiveMs)
                            .at(4, 5, 2),
                    AUTO_DELETE_ON_IDLE
                            .of(QueueDescription::autoDeleteOnIdleMs, Builder::autoDeleteOnIdleMs)
                            .at(5, 15, 10)
                            .notInBasic("deletion of idle entities", "the maximum time span"),
                    DUPLICATE_DETECTION_HISTORY_TIME_WINDOW
                            .of(
                                    QueueDescription::duplicateDetectionHistoryTimeWindowMs,
                                    Builder::duplicateDetectionHistoryTimeWindowMs)
                            .at(9, 7, 5)
                            .check((queue, limits) -> PropertyChecks.duplicateWindow(
                                    queue.requiresDuplicateDetection(), queue.duplicateDetectionHistoryTimeWindowMs())),
                    MAX_DELIVERY_COUNT
                            .of(QueueDescription::maxDeliveryCount, Builder::maxDeliveryCount)
                            .at(6, 8, 3),
                    USER_METADATA
                            .of(QueueDescription::userMetadata, Builder::userMetadata)
                            .at(16, 13, 14),
                    ACCESS_RULES
                            .of(QueueDescription::accessRules, Builder::accessRules)
                            .at(17, 10, 19),
                    MAX_RECEIVERS
                            .of(QueueDescription::maxReceivers, Builder::maxReceivers)
                            .at(20, 20, 20)
                            .sinceRow(3),
                    DEAD_LETTERING_ON_MESSAGE_EXPIRATION
                            .of(
                                    QueueDescription::deadLetteringOnMessageExpiration,
                                    Builder::deadLetteringOnMessageExpiration)
                            .at(7, 6, 4),
                    ENABLE_BATCHED_OPERATIONS
                            .of(QueueDescription::enableBatchedOperations, Builder::enableBatchedOperations)
                            .at(14, 9, 15),
                    STATUS.of(QueueDescription::status, Builder::status).at(15, 11, 13),
                    SUPPORT_ORDERING
                            .of(QueueDescription::supportOrdering, Builder::supportOrdering)
                            .at(19, 14, 16)
                            .sinceRow(2)));

    private QueueProperties() {}
}
