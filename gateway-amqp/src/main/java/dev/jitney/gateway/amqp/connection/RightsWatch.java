package dev.jitney.gateway.amqp.connection;

import dev.jitney.gateway.amqp.access.Authorization;
import dev.jitney.gateway.amqp.access.ConnectionAccess;
import dev.jitney.gateway.amqp.link.LinkHandler;
import dev.jitney.gateway.amqp.shared.ConnectionCloser;
import dev.jitney.model.ErrorCode;
import java.util.Collection;
import java.util.List;

/** A check that closes the links of one connection that its credentials no longer permit (wire reference 2.5). */
final class RightsWatch {
    private static final String RULES_CHANGED = "the access rule or the key of its credential was changed or removed";

    private final ConnectionAccess access;
    private final ConnectionCloser closer;
    private final Authorization authorization;

    /**
     * @param closer closes the connection when no credential is left that permits anything
     */
    RightsWatch(ConnectionAccess access, ConnectionCloser closer) {
        this.access = access;
        this.closer = closer;
        this.authorization = access.authorization();
    }

    /**
     * Checks for expired tokens and changed rules.
     *
     * @param links the links of the connection
     */
    void tick(Collection<LinkHandler> links) {
        long nowMs = access.nowMs();
        if (authorization.expire(nowMs)) {
            detach(links, nowMs, "the token has expired");
            if (access.hasSaslToken() && authorization.isEmpty()) {
                closer.close(
                        ErrorCode.CONNECTION_FORCED,
                        "The connection was closed because the token of its SASL exchange has expired. Connect again with"
                                + " a new token.");
                return;
            }
        }
        if (authorization.lessenedByRules()) {
            detach(links, nowMs, RULES_CHANGED);
            if (authorization.isEmpty()) {
                closer.close(
                        ErrorCode.CONNECTION_FORCED,
                        "The connection was closed because " + RULES_CHANGED + ". Connect with a current key.");
            }
        }
    }

    /**
     * Detaches links with a condition that clients treat as temporary: they put a token again, and continue if its key
     * is valid.
     */
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
