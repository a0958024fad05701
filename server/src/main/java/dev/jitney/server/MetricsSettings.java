package dev.jitney.server;

import dev.jitney.gateway.http.metrics.MetricsAccess;
import org.jspecify.annotations.Nullable;

/**
 * How {@code GET /metrics} is to be served.
 *
 * @param access who may read it, or null for the default: everybody where only this machine can connect, otherwise those
 *     with a token
 * @param entitiesMax how many entities are shown one by one; the others are summed up
 */
public record MetricsSettings(@Nullable MetricsAccess access, int entitiesMax) {
    /** As many queues and topics as a namespace may have (QUOTA-7). */
    public static final int DEFAULT_ENTITIES_MAX = 10_000;

    /** Nothing was said. */
    public static final MetricsSettings DEFAULT = new MetricsSettings(null, DEFAULT_ENTITIES_MAX);

    /** Who may read it on a server that is bound to this host. */
    MetricsAccess accessOn(String host) {
        if (access != null) {
            return access;
        }
        return Hosts.isLoopback(host) ? MetricsAccess.OPEN : MetricsAccess.AUTHORIZED;
    }
}
