package dev.jitney.gateway.http.metrics;

/** The access to the metrics, which contain the names of entities. */
public enum MetricsAccess {
    /** All clients that can connect to the port. */
    OPEN,
    /** Clients with a token for Manage or Listen on a namespace, who get the metrics of that namespace and the process. */
    AUTHORIZED,
    /** No clients: the route does not exist. */
    OFF
}
