package dev.jitney.core.namespace;

import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityKind;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Judges destinations of forwarding (HTTP reference 2.9 and 5.3). Null means fine. */
final class ForwardingRules {

    private ForwardingRules() {}

    static @Nullable Rejection refuse(
            EntityDescription source,
            @Nullable String forwardTo,
            @Nullable String forwardDeadLetteredMessagesTo,
            Function<String, @Nullable EntityDescription> lookup) {
        if (forwardTo != null && source.requiresSession()) {
            return new Rejection(
                    ErrorCode.ARGUMENT,
                    "Bad Request. An entity that requires sessions cannot forward its messages (ForwardTo of '"
                            + source.path() + "').");
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
        if (address.key().equals(EntityAddress.keyOf(source.path()))) {
            return new Rejection(
                    ErrorCode.ARGUMENT,
                    "Bad Request. '" + source.path() + "' cannot forward to itself (" + property + ").");
        }
        EntityDescription found = lookup.apply(address.path());
        if (found == null || found.kind() == EntityKind.SUBSCRIPTION) {
            return new Rejection(
                    ErrorCode.FORWARDING_DESTINATION_NOT_FOUND,
                    "The auto forwarding destination entity '" + address.path()
                            + "' was not found; expected a queue or a topic (" + property + ").");
        }
        return null;
    }
}
