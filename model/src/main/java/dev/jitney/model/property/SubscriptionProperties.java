package dev.jitney.model.property;

import static dev.jitney.model.property.EntityProperty.NONE;
import static dev.jitney.model.property.PropertySpecs.AUTO_DELETE_ON_IDLE;
import static dev.jitney.model.property.PropertySpecs.CLIENT_AFFINE;
import static dev.jitney.model.property.PropertySpecs.DEAD_LETTERING_ON_FILTER_EVALUATION_EXCEPTIONS;
import static dev.jitney.model.property.PropertySpecs.DEAD_LETTERING_ON_MESSAGE_EXPIRATION;
import static dev.jitney.model.property.PropertySpecs.DEFAULT_MESSAGE_TIME_TO_LIVE;
import static dev.jitney.model.property.PropertySpecs.ENABLE_BATCHED_OPERATIONS;
import static dev.jitney.model.property.PropertySpecs.FORWARD_DEAD_LETTERED_MESSAGES_TO;
import static dev.jitney.model.property.PropertySpecs.FORWARD_TO;
import static dev.jitney.model.property.PropertySpecs.LOCK_DURATION;
import static dev.jitney.model.property.PropertySpecs.MAX_DELIVERY_COUNT;
import static dev.jitney.model.property.PropertySpecs.REQUIRES_SESSION;
import static dev.jitney.model.property.PropertySpecs.STATUS;
import static dev.jitney.model.property.PropertySpecs.USER_METADATA;

import dev.jitney.model.EntityStatus;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.SubscriptionDescription.Builder;
import java.util.List;

/**
 * The properties of subscriptions, in the order in which they are checked: getter and setter, then the position of the
 * property in the row, in the Atom entry and in the configuration file. The builder has the defaults.
 */
public final class SubscriptionProperties {

    /** The table of properties. */
    public static final EntityTable<SubscriptionDescription> TABLE = new EntityTable<>(
            SubscriptionDescription.of("topic", "subscription").build(),
            SubscriptionDescription::toBuilder,
            List.of(
                    // getter, setter, at(row, Atom, file)
                    REQUIRES_SESSION
                            .of(SubscriptionDescription::requiresSession, Builder::requiresSession)
                            .at(2, 2, 5),
                    STATUS.of(SubscriptionDescription::status, Builder::status)
                            .at(8, 8, 9)
                            .check((subscription, limits) -> PropertyChecks.status(
                                    subscription, EntityStatus.SEND_DISABLED, "Active, Disabled or ReceiveDisabled")),
                    LOCK_DURATION
                            .of(SubscriptionDescription::lockDurationMs, Builder::lockDurationMs)
                            .at(1, 1, 1),
                    // The newer Java client omits this property when it updates a subscription (HTTP reference 2.4).
                    DEFAULT_MESSAGE_TIME_TO_LIVE
                            .of(
                                    SubscriptionDescription::defaultMessageTimeToLiveMs,
                                    Builder::defaultMessageTimeToLiveMs)
                            .at(3, 3, 2)
                            .keptWhenOmitted(),
                    AUTO_DELETE_ON_IDLE
                            .of(SubscriptionDescription::autoDeleteOnIdleMs, Builder::autoDeleteOnIdleMs)
                            .at(12, 12, 8),
                    MAX_DELIVERY_COUNT
                            .of(SubscriptionDescription::maxDeliveryCount, Builder::maxDeliveryCount)
                            .at(6, 6, 3),
                    USER_METADATA
                            .of(SubscriptionDescription::userMetadata, Builder::userMetadata)
                            .at(10, 10, 10),
                    FORWARD_TO
                            .of(SubscriptionDescription::forwardTo, Builder::forwardTo)
                            .at(9, 9, 7),
                    FORWARD_DEAD_LETTERED_MESSAGES_TO
                            .of(
                                    SubscriptionDescription::forwardDeadLetteredMessagesTo,
                                    Builder::forwardDeadLetteredMessagesTo)
                            .at(11, 11, 6),
                    DEAD_LETTERING_ON_MESSAGE_EXPIRATION
                            .of(
                                    SubscriptionDescription::deadLetteringOnMessageExpiration,
                                    Builder::deadLetteringOnMessageExpiration)
                            .at(4, 4, 4),
                    DEAD_LETTERING_ON_FILTER_EVALUATION_EXCEPTIONS
                            .of(
                                    SubscriptionDescription::deadLetteringOnFilterEvaluationExceptions,
                                    Builder::deadLetteringOnFilterEvaluationExceptions)
                            .at(5, 5, 12),
                    ENABLE_BATCHED_OPERATIONS
                            .of(SubscriptionDescription::enableBatchedOperations, Builder::enableBatchedOperations)
                            .at(7, 7, 11),
                    CLIENT_AFFINE
                            .of(SubscriptionDescription::clientAffine, Builder::clientAffine)
                            .at(13, 13, NONE)
                            .keptWhenOmitted()));

    private SubscriptionProperties() {}
}
