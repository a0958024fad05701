package dev.jitney.server.metrics;

import dev.jitney.gateway.amqp.shared.AmqpFigures;
import dev.jitney.gateway.amqp.shared.AmqpFigures.NamespaceFigures;
import dev.jitney.model.EntityKind;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Meter;
import dev.jitney.runtime.Namespace;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;

/** The metrics of namespaces (MET-1, THR-1). */
final class NamespaceGroup {
    private static final Family ENTITIES = Family.gauge("jitney_namespace_entities", "Entities by kind.");
    private static final Family OPERATIONS = Family.counter(
            "jitney_namespace_operations",
            "Operations as the cloud bills them, on the namespace and its entities, including deleted entities.");
    private static final Family INCOMING_BYTES = Family.counter(
            "jitney_namespace_incoming_bytes",
            "Encoded size of all messages and session states sent, including deleted entities.");
    private static final Family OUTGOING_BYTES = Family.counter(
            "jitney_namespace_outgoing_bytes",
            "Encoded size of all messages received or peeked, and of all session states read.");
    private static final Family THROTTLED = Family.counter(
            "jitney_namespace_throttled_requests", "Requests refused because the throttling credits were used up.");
    private static final Family CONNECTIONS =
            Family.gauge("jitney_amqp_connections", "Open AMQP connections, including those over WebSockets.");
    private static final Family OPENED_CONNECTIONS =
            Family.counter("jitney_amqp_opened_connections", "AMQP connections opened.");
    private static final Family REFUSED_CONNECTIONS = Family.counter(
            "jitney_amqp_refused_connections",
            "AMQP connections refused or closed because the namespace had the maximum.");
    private static final Family LINKS = Family.gauge("jitney_amqp_links", "Attached AMQP links.");
    private static final Family REFUSED_CREDENTIALS =
            Family.counter("jitney_amqp_refused_credentials", "Tokens and passwords over AMQP that were invalid.");

    static final List<Family> FAMILIES = List.of(
            ENTITIES,
            OPERATIONS,
            INCOMING_BYTES,
            OUTGOING_BYTES,
            THROTTLED,
            CONNECTIONS,
            OPENED_CONNECTIONS,
            REFUSED_CONNECTIONS,
            LINKS,
            REFUSED_CREDENTIALS);

    private static final NamespaceFigures NOBODY = new NamespaceFigures(0, 0, 0, 0, 0);

    private NamespaceGroup() {}

    static void collect(List<Namespace> namespaces, AmqpFigures amqp, Samples samples) {
        for (Namespace namespace : namespaces) {
            Labels labels = Labels.of("namespace", namespace.name());
            long[] byKind = new long[EntityKind.values().length];
            for (Entity entity : namespace.entities()) {
                byKind[entity.kind().ordinal()]++;
                byKind[EntityKind.SUBSCRIPTION.ordinal()] +=
                        entity.subscriptions().size();
            }
            for (EntityKind kind : EntityKind.values()) {
                samples.add(ENTITIES, labels.add("kind", EntityGroup.word(kind)), byKind[kind.ordinal()]);
            }
            Meter meter = namespace.meter();
            samples.add(OPERATIONS, labels, meter.operations());
            samples.add(INCOMING_BYTES, labels, meter.bytesIn());
            samples.add(OUTGOING_BYTES, labels, meter.bytesOut());
            samples.add(THROTTLED, labels, namespace.throttledRequests());
            NamespaceFigures edge = amqp.namespaces().getOrDefault(namespace.name(), NOBODY);
            samples.add(CONNECTIONS, labels, edge.connections());
            samples.add(OPENED_CONNECTIONS, labels, edge.openedConnections());
            samples.add(REFUSED_CONNECTIONS, labels, edge.refusedConnections());
            samples.add(LINKS, labels, edge.links());
            samples.add(REFUSED_CREDENTIALS, labels, edge.refusedCredentials());
        }
    }
}
