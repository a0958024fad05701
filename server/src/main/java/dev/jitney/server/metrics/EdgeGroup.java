package dev.jitney.server.metrics;

import dev.jitney.gateway.amqp.shared.AmqpFigures;
import dev.jitney.gateway.http.metrics.HttpFigures;
import dev.jitney.runtime.memory.MemoryFigures;
import dev.jitney.runtime.memory.MemoryPurpose;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
import java.util.Map;

/** The metrics of sockets and requests. */
final class EdgeGroup {
    private static final Family SOCKETS =
            Family.gauge("jitney_amqp_sockets", "Open AMQP sockets, including sockets without an AMQP connection.");
    private static final Family REFUSED_SOCKETS =
            Family.counter("jitney_amqp_refused_sockets", "AMQP sockets closed because too many were open.");
    private static final Family RECEIVED_BYTES =
            Family.counter("jitney_amqp_received_bytes", "AMQP bytes received, without TLS overhead.");
    private static final Family SENT_BYTES =
            Family.counter("jitney_amqp_sent_bytes", "AMQP bytes sent, without TLS overhead.");
    private static final Family MEMORY_BUDGET =
            Family.gauge("jitney_memory_budget_bytes", "Memory in bytes that all AMQP clients together may use.");
    private static final Family MEMORY_CLAIMED = Family.gauge(
            "jitney_memory_claimed_bytes",
            "Memory in bytes that AMQP clients use, by namespace and purpose. Unauthenticated connections have an empty"
                    + " namespace.");
    private static final Family MEMORY_CLOSED = Family.counter(
            "jitney_memory_closed_connections",
            "AMQP connections closed because of their memory: the oldest unauthenticated ones when there were too many,"
                    + " and stalled ones that used the most when memory was short.");
    private static final Family HTTP_CONNECTIONS =
            Family.gauge("jitney_http_connections", "Open HTTP connections, excluding WebSockets.");
    private static final Family HTTP_REFUSED_CONNECTIONS = Family.counter(
            "jitney_http_refused_connections",
            "HTTP connections and requests refused because the maximum was reached.");
    private static final Family HTTP_DISPLACED_CONNECTIONS =
            Family.counter("jitney_http_displaced_connections", "HTTP connections closed to make room for others.");
    private static final Family HTTP_HELD_BYTES = Family.gauge(
            "jitney_http_held_bytes", "Memory in bytes that HTTP clients use, by purpose: head, body, answer, frame.");
    private static final Family HTTP_REQUESTS = Family.counter(
            "jitney_http_requests",
            "HTTP requests by route, method and status. 499 means that the client disconnected.");
    private static final Family HTTP_DURATION = Family.histogram(
            "jitney_http_request_duration_seconds",
            "Seconds from the head of a request to the end of its response, by route. Long polls include their waiting time.");

    static final List<Family> FAMILIES = List.of(
            SOCKETS,
            REFUSED_SOCKETS,
            RECEIVED_BYTES,
            SENT_BYTES,
            MEMORY_BUDGET,
            MEMORY_CLAIMED,
            MEMORY_CLOSED,
            HTTP_CONNECTIONS,
            HTTP_REFUSED_CONNECTIONS,
            HTTP_DISPLACED_CONNECTIONS,
            HTTP_HELD_BYTES,
            HTTP_REQUESTS,
            HTTP_DURATION);

    private EdgeGroup() {}

    static void collect(AmqpFigures amqp, HttpFigures http, Samples samples) {
        samples.add(SOCKETS, Labels.EMPTY, amqp.sockets());
        samples.add(REFUSED_SOCKETS, Labels.EMPTY, amqp.refusedSockets());
        samples.add(RECEIVED_BYTES, Labels.EMPTY, amqp.receivedBytes());
        samples.add(SENT_BYTES, Labels.EMPTY, amqp.sentBytes());
        memory(amqp.memory(), samples);
        samples.add(HTTP_CONNECTIONS, Labels.EMPTY, http.connections());
        samples.add(HTTP_REFUSED_CONNECTIONS, Labels.EMPTY, http.refusedConnections());
        samples.add(HTTP_DISPLACED_CONNECTIONS, Labels.EMPTY, http.displacedConnections());
        http.heldBytes()
                .forEach((purpose, bytes) -> samples.add(HTTP_HELD_BYTES, Labels.of("purpose", purpose), bytes));
        for (HttpFigures.Requests requests : http.requests()) {
            Labels labels = Labels.of(
                    "route",
                    requests.route(),
                    "method",
                    requests.method(),
                    "status",
                    Integer.toString(requests.status()));
            samples.add(HTTP_REQUESTS, labels, requests.count());
        }
        for (HttpFigures.Durations durations : http.durations()) {
            samples.add(
                    HTTP_DURATION,
                    Labels.of("route", durations.route()),
                    durations.upperBounds(),
                    durations.counts(),
                    durations.sumSeconds());
        }
    }

    private static void memory(MemoryFigures memory, Samples samples) {
        samples.add(MEMORY_BUDGET, Labels.EMPTY, memory.budgetBytes());
        claims("", memory.unauthenticated(), samples);
        memory.namespaces().forEach((namespace, claims) -> claims(namespace, claims, samples));
        samples.add(MEMORY_CLOSED, Labels.of("reason", "unauthenticated"), memory.closedUnauthenticated());
        samples.add(MEMORY_CLOSED, Labels.of("reason", "stalled"), memory.closedStalled());
    }

    private static void claims(String namespace, Map<MemoryPurpose, Long> claims, Samples samples) {
        claims.forEach((purpose, bytes) ->
                samples.add(MEMORY_CLAIMED, Labels.of("namespace", namespace, "purpose", purpose.label()), bytes));
    }
}
