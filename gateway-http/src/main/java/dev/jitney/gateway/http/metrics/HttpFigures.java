package dev.jitney.gateway.http.metrics;

import java.util.List;
import java.util.Map;

/**
 * The counters of a gateway. Sums count from the start of the process.
 *
 * @param connections open connections
 * @param refusedConnections connections and requests refused because the maximum was reached
 * @param displacedConnections connections closed to make room for others
 * @param heldBytes bytes in memory for the connections by purpose
 * @param requests requests by route, method and status; 499 if the client closed the connection before the response
 * @param durations durations of requests, by route
 */
public record HttpFigures(
        int connections,
        long refusedConnections,
        long displacedConnections,
        Map<String, Long> heldBytes,
        List<Requests> requests,
        List<Durations> durations) {

    /** The counters of a gateway without requests. */
    public static final HttpFigures NONE = new HttpFigures(0, 0, 0, Map.of(), List.of(), List.of());

    /**
     * Requests with the same route, method and status.
     *
     * @param route the route's name or pattern, never text from a client
     * @param method one of the usual methods, or {@code other}
     */
    public record Requests(String route, String method, int status, long count) {}

    /**
     * Durations from the head of a request to the end of its response, including the waiting time of long polls and
     * WebSockets.
     *
     * @param upperBounds in seconds, ascending and inclusive; one more bucket is for longer durations
     * @param counts number of requests in each bucket, each request in one bucket
     */
    public record Durations(String route, double[] upperBounds, long[] counts, double sumSeconds) {}
}
