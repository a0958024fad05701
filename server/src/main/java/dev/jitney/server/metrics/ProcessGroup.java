package dev.jitney.server.metrics;

import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The metrics of the process. Heap, garbage collector, threads, processor and files have Micrometer's names ({@code
 * jvm_}, {@code process_}, {@code system_}), for which there are dashboards. The group is created for the first page,
 * because loading it would delay the start. Not thread-safe.
 */
final class ProcessGroup implements AutoCloseable {
    private static final Family HEALTHY =
            Family.gauge("jitney_healthy", "1 while GET /health returns 200, otherwise 0.");
    private static final Family BUILD = Family.gauge("jitney_build_info", "Always 1; the labels contain the version.");
    private static final Family RESIDENT_MEMORY = Family.gauge(
            "jitney_resident_memory_bytes",
            "Memory of the whole process, including native memory of the store. Linux only.");
    private static final Family NETTY_MEMORY =
            Family.gauge("jitney_netty_direct_memory_bytes", "Memory of network buffers outside the heap.");

    static final List<Family> FAMILIES = List.of(HEALTHY, BUILD, RESIDENT_MEMORY, NETTY_MEMORY);

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String RESIDENT = "VmRSS:";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collector = new JvmGcMetrics();
    private final Labels build;

    ProcessGroup(String version) {
        build = Labels.of("version", version, "java", Runtime.version().toString());
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        collector.bindTo(registry);
    }

    /** @param nettyBytes memory of network buffers, or less than 0 if unknown */
    void collect(boolean healthy, long nettyBytes, Samples samples) {
        samples.add(HEALTHY, Labels.EMPTY, healthy ? 1 : 0);
        samples.add(BUILD, build, 1);
        long resident = residentBytes();
        if (resident >= 0) {
            samples.add(RESIDENT_MEMORY, Labels.EMPTY, resident);
        }
        if (nettyBytes >= 0) {
            samples.add(NETTY_MEMORY, Labels.EMPTY, nettyBytes);
        }
    }

    /** Returns the metrics of Micrometer. */
    List<MetricSnapshot> snapshots() {
        List<MetricSnapshot> out = new ArrayList<>();
        registry.getPrometheusRegistry().scrape().forEach(out::add);
        return out;
    }

    private static long residentBytes() {
        if (!Files.isReadable(STATUS)) {
            return -1;
        }
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(RESIDENT))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElse(-1);
        } catch (IOException | RuntimeException notAsExpected) {
            return -1;
        }
    }

    @Override
    public void close() {
        collector.close();
        registry.close();
    }
}
