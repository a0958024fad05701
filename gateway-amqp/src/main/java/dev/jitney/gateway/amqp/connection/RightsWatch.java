package dev.jitney.gateway.amqp.connection;

import dev.jitney.model.ErrorCode;
import java.util.Collection;
import java.util.List;

/** Ends the links of one connection that its credentials no longer cover (wire reference 2.5). */
final class RightsWatch {
    private static final String RULES_CHANGED = "the access rule or the key of its credential was changed or removed";

    private final AmqpConnection connection;
    private final Authorization authorization;

    RightsWatch(AmqpConnection connection) {
        this.connection = connection;
        this.authorization = connection.authorization();
    }

    /**
     * Looks for tokens that have expired and for rules that have changed.
     *
     * @param links the links of the connection
     * @param host the host the client has asked for
     */
    void tick(Collection<LinkHandler> links, String host) {
        long nowMs = connection.nowMs();
        if (authorization.expire(nowMs)) {
            detach(links, host, nowMs, "the token has expired");
        }
        if (authorization.lessenedByRules()) {
            detach(links, host, nowMs, RULES_CHANGED);
            if (authorization.isEmpty()) {
                connection.close(
                        ErrorCode.CONNECTION_FORCED,
                        "The connection was closed because " + RULES_CHANGED
                                + ". Connect with a key that is in force.");
            }
        }
    }

    /** Clients take this condition for one that passes, and show a token again: with a key of today they go on. */
    private void detach(Collection<LinkHandler> links, String host, long nowMs, String reason) {
        for (LinkHandler link : List.copyOf(links)) {
            if (!link.authorized(nowMs)) {
                link.close(connection
                        .errors()
                        .of(
                                ErrorCode.DETACH_FORCED,
                                "The link was detached because " + reason
                                        + ". Code: RenewToken. Claims required on 'sb://" + host + "' for link '"
                                        + link.wire().name() + "'."));
            }
        }
    }
}
