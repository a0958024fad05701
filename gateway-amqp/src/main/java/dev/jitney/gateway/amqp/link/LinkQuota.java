package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.access.ConnectionAccess;
import dev.jitney.gateway.amqp.shared.ConnectionLoop;
import dev.jitney.gateway.amqp.shared.ConnectionMemory;
import dev.jitney.gateway.amqp.wire.WireTable;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import org.jspecify.annotations.Nullable;

/** The limits on the links of one connection: their count and the memory of the server. For the event loop. */
final class LinkQuota {
    /** The link limit before authentication: more than enough to send a token. Each link costs memory. */
    private static final int UNAUTHENTICATED_LINKS_MAX = 64;

    private final WireTable table;
    private final int linksMax;
    private final ConnectionMemory memory;
    private final ConnectionAccess access;
    private final ConnectionLoop loop;

    LinkQuota(WireTable table, int linksMax, ConnectionMemory memory, ConnectionAccess access, ConnectionLoop loop) {
        this.table = table;
        this.linksMax = linksMax;
        this.memory = memory;
        this.access = access;
        this.loop = loop;
    }

    /**
     * Returns the refusal of the link that was attached last if it exceeds a limit, otherwise null. May close the
     * connection.
     */
    @Nullable
    Rejection refusal() {
        if (access.authorization().isEmpty() && table.linkCount() > UNAUTHENTICATED_LINKS_MAX) {
            String why = "The connection attached too many links without a valid token. Put a token first.";
            loop.close(ErrorCode.CONNECTION_FORCED, why);
            return new Rejection(ErrorCode.CONNECTION_FORCED, why); // a link of an ended connection would never end
        }
        if (table.linkCount() > linksMax) {
            return new Rejection(
                    ErrorCode.QUOTA_EXCEEDED,
                    "Expected at most " + linksMax + " links on a connection, but this is one more.");
        }
        if (!memory.stateUsedUp()) {
            return null;
        }
        if (memory.hasMuchState()) {
            // A refused link costs memory until it is detached.
            loop.close(ErrorCode.QUOTA_EXCEEDED, ConnectionMemory.STATE_USED_UP);
        }
        return new Rejection(ErrorCode.QUOTA_EXCEEDED, ConnectionMemory.STATE_USED_UP);
    }
}
