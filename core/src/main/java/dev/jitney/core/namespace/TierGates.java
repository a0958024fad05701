package dev.jitney.core.namespace;

import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.TierProfile;
import org.jspecify.annotations.Nullable;

/** What the BASIC tier does not have (QUOTA-10, DUP-1, FWD-4). Null means fine. */
final class TierGates {

    private TierGates() {}

    static @Nullable Rejection refuse(QueueDescription queue, Limits limits) {
        if (limits.tier() != TierProfile.BASIC) {
            return null;
        }
        if (queue.requiresSession()) {
            return gated("sessions", "RequiresSession", "false");
        }
        if (queue.requiresDuplicateDetection()) {
            return gated("duplicate detection", "RequiresDuplicateDetection", "false");
        }
        if (queue.forwardTo() != null) {
            return gated("forwarding", "ForwardTo", "nothing");
        }
        if (queue.forwardDeadLetteredMessagesTo() != null) {
            return gated("forwarding", "ForwardDeadLetteredMessagesTo", "nothing");
        }
        return queue.autoDeleteOnIdleMs() == MessageView.NEVER
                ? null
                : gated("deletion of idle entities", "AutoDeleteOnIdle", "the maximum time span");
    }

    /** Topics and subscriptions. */
    static @Nullable Rejection refuseTopics(Limits limits) {
        return limits.tier() == TierProfile.BASIC
                ? DescriptionChecks.argument("The BASIC tier has no topics and subscriptions.")
                : null;
    }

    private static Rejection gated(String feature, String property, String allowed) {
        return DescriptionChecks.argument(
                "The BASIC tier has no " + feature + ": expected " + property + " to be " + allowed + ".");
    }
}
