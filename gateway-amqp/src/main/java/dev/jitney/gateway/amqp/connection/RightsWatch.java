package dev.jitney.gateway.amqp.connection;

import dev.jitney.gateway.amqp.access.Authorization;
import dev.jitney.gateway.amqp.access.ConnectionAccess;
import dev.jitney.gateway.amqp.link.LinkHandler;
import dev.jitney.gateway.amqp.shared.ConnectionCloser;
import dev.jitney.model.ErrorCode;
import java.util.Collection;
import java.util.List;

/** Ends the links of one connection that its credentials no longer cover (wire reference 2.5). */
final class RightsWatch {
    private static final String RULES_CHANGED = "the access rule or the key of its credential was changed or removed";

    private final ConnectionAccess access;
    private final ConnectionCloser closer;
    private final Authorization authorization;

    /** @param closer ends the connection when no credential is left that permits anything */
    RightsWatch(ConnectionAccess access, ConnectionCloser closer) {
        this.access = access;
        this.closer = closer;
        this.authorization = access.authorization();
    }

    /**
     * Looks for tokens that have expired and for rules that have changed.
     *
     * @param links the links of the connection
     */
    void tick(Collection<LinkHandler> links) {
        long nowMs = access.nowMs();
        if (authorization.expire(nowMs)) {
            detach(links, nowMs, "the token has expired");
        }
        if (authorization.lessenedByRules()) {
            detach(links, nowMs, RULES_CHANGED);
            if (authorization.isEmpty()) {
                closer.close(
                        ErrorCode.CONNECTION_FORCED,
                        "The connection was closed because " + RULES_CHANGED
                                + ". Connect with a key that is in force.");
            }
        }
    }

    /** Clients take this condition for one that passes, and show a token again: with a key of today they go on. */
    private void detach(Collection<LinkHandler> links, long nowMs, String reason) {
        for (LinkHandler link : List.copyOf(links)) {
            if (!link.authorized(nowMs)) {
                link.close(access.errors()
                        .of(
                                ErrorCode.DETACH_FORCED,
                                "The link was detached because " + reason
                                        + ". Code: RenewToken. Claims required on 'sb://" + access.host()
                                        + "' for link '"
                                        + link.wire().name() + "'."));
            }
        }
    }
}
