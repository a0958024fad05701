package dev.jitney.gateway.http.metrics;

import java.util.List;
import java.util.Map;

/**
 * What a gateway has to do. Sums count from the start of the process.
 *
 * @param connections connections that are open
 * @param refusedConnections connections and requests refused because all places were taken
 * @param displacedConnections connections closed to make room for others
 * @param heldBytes bytes held for the connections by purpose
 * @param requests requests by route, method and status; 499 if the client had gone before the answer
 * @param durations how long answers took, by route
 */
public record HttpFigures(
        int connections,
        long refusedConnections,
        long displacedConnections,
        Map<String, Long> heldBytes,
        List<Requests> requests,
        List<Durations> durations) {

    /** Those of a gateway nobody has asked anything. */
    public static final HttpFigures NONE = new HttpFigures(0, 0, 0, Map.of(), List.of(), List.of());

    /**
     * Requests that ended alike.
     *
     * @param route the route's name or pattern, never what a client made up
     * @param method one of the usual methods, or {@code other}
     */
    public record Requests(String route, String method, int status, long count) {}

    /**
     * From the head of a request to the end of its answer; long polls and WebSockets are as long as they are.
     *
     * @param upperBounds in seconds, ascending and inclusive; one class more is for what is longer
     * @param counts how many requests each class has, each request in one class
     */
    public record Durations(String route, double[] upperBounds, long[] counts, double sumSeconds) {}
}
