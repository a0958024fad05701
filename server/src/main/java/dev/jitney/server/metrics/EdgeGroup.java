package dev.jitney.server.metrics;

import dev.jitney.gateway.amqp.connection.AmqpFigures;
import dev.jitney.gateway.http.metrics.HttpFigures;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;

/** What is told about sockets and requests. */
final class EdgeGroup {
    private static final Family SOCKETS =
            Family.gauge("jitney_amqp_sockets", "Open AMQP sockets, whether or not a connection was opened on them.");
    private static final Family REFUSED_SOCKETS =
            Family.counter("jitney_amqp_refused_sockets", "AMQP sockets closed at once because too many were open.");
    private static final Family RECEIVED_BYTES =
            Family.counter("jitney_amqp_received_bytes", "Bytes of AMQP read, TLS not counted.");
    private static final Family SENT_BYTES =
            Family.counter("jitney_amqp_sent_bytes", "Bytes of AMQP written, TLS not counted.");
    private static final Family HTTP_CONNECTIONS =
            Family.gauge("jitney_http_connections", "Open HTTP connections, without those that became WebSockets.");
    private static final Family HTTP_REFUSED_CONNECTIONS = Family.counter(
            "jitney_http_refused_connections", "HTTP connections closed at once because too many were open.");
    private static final Family HTTP_REQUESTS = Family.counter(
            "jitney_http_requests", "HTTP requests by route, method and status; 499: the client had gone.");
    private static final Family HTTP_DURATION = Family.histogram(
            "jitney_http_request_duration_seconds",
            "From the head of a request to the end of its answer, by route; long polls are as long as they wait.");

    static final List<Family> FAMILIES = List.of(
            SOCKETS,
            REFUSED_SOCKETS,
            RECEIVED_BYTES,
            SENT_BYTES,
            HTTP_CONNECTIONS,
            HTTP_REFUSED_CONNECTIONS,
            HTTP_REQUESTS,
            HTTP_DURATION);

    private EdgeGroup() {}

    static void collect(AmqpFigures amqp, HttpFigures http, Samples samples) {
        samples.add(SOCKETS, Labels.EMPTY, amqp.sockets());
        samples.add(REFUSED_SOCKETS, Labels.EMPTY, amqp.refusedSockets());
        samples.add(RECEIVED_BYTES, Labels.EMPTY, amqp.receivedBytes());
        samples.add(SENT_BYTES, Labels.EMPTY, amqp.sentBytes());
        samples.add(HTTP_CONNECTIONS, Labels.EMPTY, http.connections());
        samples.add(HTTP_REFUSED_CONNECTIONS, Labels.EMPTY, http.refusedConnections());
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
}
