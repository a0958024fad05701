package dev.jitney.server.metrics;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The metrics page of the node port (CL-82): the cluster and the process, also on a node that does not lead. Thread-safe. */
public final class ClusterMetrics implements AutoCloseable {
    private final Supplier<@Nullable ClusterFigures> cluster;
    private final BooleanSupplier healthy;
    private final String version;
    private @Nullable ProcessGroup process;

    /**
     * @param cluster returns the state of this node, or null before it is started
     * @param healthy true while {@code GET /health} of the node port returns 200
     * @param version of the program
     */
    public ClusterMetrics(Supplier<@Nullable ClusterFigures> cluster, BooleanSupplier healthy, String version) {
        this.cluster = cluster;
        this.healthy = healthy;
        this.version = version;
    }

    /** Returns the page in the text format of Prometheus. */
    public synchronized String page() throws IOException {
        ProcessGroup own = process;
        if (own == null) {
            own = new ProcessGroup(version);
            process = own;
        }
        Samples samples = new Samples();
        ClusterFigures figures = cluster.get();
        if (figures != null) {
            ClusterGroup.collect(figures, samples);
        }
        own.collect(healthy.getAsBoolean(), -1, samples);
        List<MetricSnapshot> all = own.snapshots();
        all.addAll(samples.snapshots());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrometheusTextFormatWriter.create().write(out, new MetricSnapshots(all), EscapingScheme.DEFAULT);
        return out.toString(StandardCharsets.UTF_8);
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
