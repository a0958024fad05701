package dev.jitney.gateway.http.admin;

import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.AccessRight;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.runtime.Namespace;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The check of rights on forwarding destinations. Forwarding needs the Manage right on the destination too: a token for
 * it in a supplementary header, or a token for the whole namespace (HTTP reference 1.7, FWD-3). The destination is in
 * the same namespace (FWD-1). A URL whose host name is not that of another namespace counts as this namespace, because
 * a server has many names.
 */
final class ForwardingRights {
    private static final String HEADER = "ServiceBusSupplementaryAuthorization";
    private static final String DEAD_LETTER_HEADER = "ServiceBusDlqSupplementaryAuthorization";

    /** The authority of an absolute URL. */
    private static final Pattern HOST = Pattern.compile("[^:/]+://([^/]+)/");

    private ForwardingRights() {}

    static void require(AdminRequest request, EntityDescription description) throws RefusedException {
        if (description instanceof QueueDescription queue) {
            require(request, HEADER, queue.forwardTo());
            require(request, DEAD_LETTER_HEADER, queue.forwardDeadLetteredMessagesTo());
        } else if (description instanceof SubscriptionDescription subscription) {
            require(request, HEADER, subscription.forwardTo());
            require(request, DEAD_LETTER_HEADER, subscription.forwardDeadLetteredMessagesTo());
        }
    }

    private static void require(AdminRequest request, String header, @Nullable String destination)
            throws RefusedException {
        if (destination == null) {
            return;
        }
        refuseOtherNamespace(request, destination);
        String token = request.exchange().request().getHeader(header);
        if (token != null) {
            EntityAddress address = EntityAddress.parse(destination);
            request.exchange().authorizeAlso(token, address, AccessRight.MANAGE);
        } else if (!request.grant().coversNamespace(AccessRight.MANAGE)) {
            throw new RefusedException(HttpError.unauthorized(
                    "Unauthorized. Forwarding needs a token with the Manage right on the destination in the header "
                            + header + "."));
        }
    }

    private static void refuseOtherNamespace(AdminRequest request, String destination) throws RefusedException {
        Matcher host = HOST.matcher(destination);
        Namespace named = host.lookingAt() ? request.exchange().namespaceNamed(host.group(1)) : null;
        if (named != null && !named.name().equals(request.namespace().name())) {
            throw new RefusedException(HttpError.of(new Rejection(
                    ErrorCode.FORWARDING_DESTINATION_NOT_FOUND,
                    "The auto forwarding destination entity '" + ClientText.abbreviate(destination)
                            + "' was not found: expected a queue or a topic of the namespace '"
                            + request.namespace().name() + "', but got one of '" + named.name() + "'.")));
        }
    }
}
