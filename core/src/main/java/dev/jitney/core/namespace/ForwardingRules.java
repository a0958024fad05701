package dev.jitney.core.namespace;

import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityKind;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Checks of forwarding destinations (HTTP reference 2.9 and 5.3). Null means valid. */
final class ForwardingRules {

    private ForwardingRules() {}

    static @Nullable Rejection refuse(
            EntityDescription source,
            @Nullable String forwardTo,
            @Nullable String forwardDeadLetteredMessagesTo,
            Function<String, @Nullable EntityDescription> lookup) {
        if (forwardTo != null && source.requiresSession()) { // FWD-6
            return Rejection.argument(
                    "Bad Request. An entity that requires sessions cannot forward its messages. Expected no"
                            + " ForwardTo of '"
                            + source.path() + "', but got '" + ClientText.abbreviate(forwardTo) + "'.");
        }
        Rejection refusal = destination(source, "ForwardTo", forwardTo, lookup);
        return refusal != null
                ? refusal
                : destination(source, "ForwardDeadLetteredMessagesTo", forwardDeadLetteredMessagesTo, lookup);
    }

    private static @Nullable Rejection destination(
            EntityDescription source,
            String property,
            @Nullable String destination,
            Function<String, @Nullable EntityDescription> lookup) {
        if (destination == null) {
            return null;
        }
        EntityAddress address = EntityAddress.parse(destination.contains("://") ? destination : "/" + destination);
        boolean entity = address.subQueue() == SubQueue.MAIN && !address.management();
        if (entity && address.key().equals(EntityAddress.keyOf(source.path()))) { // FWD-5
            return new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "Bad Request. '" + source.path() + "' cannot forward to itself (" + property + " '"
                            + ClientText.abbreviate(destination) + "').");
        }
        if (entity
                && source instanceof SubscriptionDescription subscription
                && address.key().equals(EntityAddress.keyOf(subscription.topicPath()))) { // FWD-5
            return new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "Bad Request. The subscription '" + subscription.name() + "' cannot forward to its own topic '"
                            + subscription.topicPath() + "' (" + property + " '" + ClientText.abbreviate(destination)
                            + "').");
        }
        EntityDescription found = entity ? lookup.apply(address.path()) : null;
        return found != null && found.kind() != EntityKind.SUBSCRIPTION
                ? null
                : new Rejection( // FWD-2
                        ErrorCode.FORWARDING_DESTINATION_NOT_FOUND,
                        "The auto forwarding destination entity '" + ClientText.abbreviate(address.path())
                                + "' was not found. Expected a queue or a topic of this namespace in " + property
                                + ".");
    }
}
