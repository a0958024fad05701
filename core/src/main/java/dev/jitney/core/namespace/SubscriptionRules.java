package dev.jitney.core.namespace;

import dev.jitney.model.EntityNames;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.Limits;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubscriptionDescription;
import org.jspecify.annotations.Nullable;

/** Judges subscription descriptions: ranges, what may change later (semantics chapter 19). */
public final class SubscriptionRules {

    private SubscriptionRules() {}

    /** Judges a subscription that is to be created; null if it may be. */
    public static @Nullable Rejection refuseCreation(SubscriptionDescription subscription, Limits limits) {
        Rejection refusal = EntityNames.refuseChildName(subscription.name(), false);
        if (refusal == null) {
            refusal = TierGates.refuseTopics(limits);
        }
        if (refusal == null && subscription.status() == EntityStatus.SEND_DISABLED) { // SUSP-3
            refusal = DescriptionChecks.argument(
                    "Expected Status Active, Disabled or ReceiveDisabled of a subscription, but got SendDisabled.");
        }
        return refusal != null ? refusal : refuseRanges(subscription, limits);
    }

    /** Judges a change; null if it may be made. */
    public static @Nullable Rejection refuseUpdate(
            SubscriptionDescription old, SubscriptionDescription changed, Limits limits) {
        return old.requiresSession() != changed.requiresSession()
                ? DescriptionChecks.fixed("RequiresSession", "subscription", old.path())
                : refuseCreation(changed, limits);
    }

    private static @Nullable Rejection refuseRanges(SubscriptionDescription subscription, Limits limits) {
        Rejection refusal = DescriptionChecks.lockDuration(subscription.lockDurationMs());
        if (refusal == null) {
            refusal = DescriptionChecks.timeToLive(subscription.defaultMessageTimeToLiveMs(), limits);
        }
        if (refusal == null) {
            refusal = DescriptionChecks.autoDeleteOnIdle(subscription.autoDeleteOnIdleMs());
        }
        if (refusal == null) {
            refusal = DescriptionChecks.maxDeliveryCount(subscription.maxDeliveryCount());
        }
        return refusal != null ? refusal : DescriptionChecks.userMetadata(subscription.userMetadata());
    }
}
