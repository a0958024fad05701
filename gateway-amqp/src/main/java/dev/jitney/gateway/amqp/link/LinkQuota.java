package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.access.ConnectionAccess;
import dev.jitney.gateway.amqp.shared.ConnectionLoop;
import dev.jitney.gateway.amqp.shared.ConnectionMemory;
import dev.jitney.gateway.amqp.wire.WireTable;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import org.jspecify.annotations.Nullable;

/** Bounds the links of one connection by their count and by the memory of the server. For the event loop. */
final class LinkQuota {
    /** Enough links to show a token, with room to spare; each of them costs memory. */
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

    /** Why the link that was attached last is one too many; null if it is not. May close the connection. */
    @Nullable
    Rejection refusal() {
        if (access.authorization().isEmpty() && table.linkCount() > UNAUTHENTICATED_LINKS_MAX) {
            loop.close(ErrorCode.CONNECTION_FORCED, "Expected a token before that many links.");
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
            // A link that is refused costs memory until it is detached.
            loop.close(ErrorCode.QUOTA_EXCEEDED, ConnectionMemory.STATE_USED_UP);
        }
        return new Rejection(ErrorCode.QUOTA_EXCEEDED, ConnectionMemory.STATE_USED_UP);
    }
}
