package dev.jitney.server.metrics;

import dev.jitney.gateway.amqp.shared.AmqpFigures;
import dev.jitney.gateway.http.metrics.HttpFigures;
import dev.jitney.gateway.http.metrics.MetricsFormat;
import dev.jitney.gateway.http.metrics.MetricsSource;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Namespace;
import dev.jitney.server.tls.Admittance;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The source of a server's metrics pages. Every number is kept up to date where it changes, and no page scans messages:
 * a page costs the same whether queues are empty or full.
 */
public final class BrokerMetrics implements MetricsSource, AutoCloseable {
    private final Broker broker;
    private final Supplier<AmqpFigures> amqp;
    private final Supplier<HttpFigures> http;
    private final BooleanSupplier healthy;
    private final int entitiesMax;
    private final String version;
    private final Supplier<@Nullable ClusterFigures> cluster;
    private final Admittance admittance;
    private final Supplier<Safekeeping> safekeeping;
    private final ExpositionFormatWriter prometheus = PrometheusTextFormatWriter.create();
    private final ExpositionFormatWriter openMetrics = OpenMetricsTextFormatWriter.create();
    private @Nullable ProcessGroup process;

    /**
     * @param healthy true while {@code GET /health} returns 200
     * @param entitiesMax the number of entities with metrics of their own
     * @param version of the program
     * @param cluster returns the state of this node of a cluster, or null if there is none
     * @param admittance TLS and the limits of clients
     * @param safekeeping returns the state of backups and of the archive
     */
    public BrokerMetrics(
            Broker broker,
            Supplier<AmqpFigures> amqp,
            Supplier<HttpFigures> http,
            BooleanSupplier healthy,
            int entitiesMax,
            String version,
            Supplier<@Nullable ClusterFigures> cluster,
            Admittance admittance,
            Supplier<Safekeeping> safekeeping) {
        this.safekeeping = safekeeping;
        this.admittance = admittance;
        this.cluster = cluster;
        this.broker = broker;
        this.amqp = amqp;
        this.http = http;
        this.healthy = healthy;
        this.entitiesMax = entitiesMax;
        this.version = version;
    }

    @Override
    public synchronized void write(MetricsFormat format, @Nullable String namespace, OutputStream out)
            throws IOException {
        ProcessGroup own = process;
        if (own == null) {
            own = new ProcessGroup(version);
            process = own;
        }
        List<Namespace> namespaces = broker.namespaces().stream()
                .filter(one -> namespace == null || one.name().equals(namespace))
                .toList();
        AmqpFigures edge = amqp.get();
        Samples samples = new Samples();
        EntityGroup.collect(namespaces, entitiesMax, broker.clock().nowMs(), samples);
        NamespaceGroup.collect(namespaces, edge, samples);
        ShardGroup.collect(broker.shards(), samples);
        EdgeGroup.collect(edge, http.get(), samples);
        AdmittanceGroup.collect(admittance, samples);
        SafekeepingGroup.collect(safekeeping.get(), broker.clock().nowMs(), samples);
        ClusterFigures node = cluster.get();
        if (node != null) {
            ClusterGroup.collect(node, samples);
        }
        own.collect(healthy.getAsBoolean(), edge.directMemoryBytes(), samples);
        List<MetricSnapshot> all = own.snapshots();
        all.addAll(samples.snapshots());
        ExpositionFormatWriter writer = format == MetricsFormat.OPEN_METRICS ? openMetrics : prometheus;
        writer.write(out, new MetricSnapshots(all), EscapingScheme.DEFAULT);
    }

    @Override
    public synchronized void close() {
        ProcessGroup own = process;
        process = null;
        if (own != null) {
            own.close();
        }
    }
}
