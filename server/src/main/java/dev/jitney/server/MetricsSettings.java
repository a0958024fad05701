package dev.jitney.server;

import dev.jitney.gateway.http.metrics.MetricsAccess;
import org.jspecify.annotations.Nullable;

/**
 * The settings of {@code GET /metrics}.
 *
 * @param access the clients that may read it, or null for the default: all clients on loopback, otherwise clients with
 *     a token
 * @param entitiesMax the number of entities with metrics of their own; the metrics of the others are added up
 */
public record MetricsSettings(@Nullable MetricsAccess access, int entitiesMax) {
    /** The maximum number of queues and topics of a namespace (QUOTA-7). */
    public static final int DEFAULT_ENTITIES_MAX = 10_000;

    /** The default settings. */
    public static final MetricsSettings DEFAULT = new MetricsSettings(null, DEFAULT_ENTITIES_MAX);

    /** Returns the access on a server that is bound to this host. */
    public MetricsAccess accessOn(String host) {
        if (access != null) {
            return access;
        }
        return Hosts.isLoopback(host) ? MetricsAccess.OPEN : MetricsAccess.AUTHORIZED;
    }
}
