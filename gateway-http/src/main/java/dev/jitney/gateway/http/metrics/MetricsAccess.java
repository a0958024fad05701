package dev.jitney.gateway.http.metrics;

/** Who may read the metrics, which tell the names of entities. */
public enum MetricsAccess {
    /** Whoever reaches the port. */
    OPEN,
    /** Whoever shows a token with the right Manage or Listen on a namespace; he sees that namespace and the process. */
    AUTHORIZED,
    /** Nobody: the route does not exist. */
    OFF
}
