package dev.jitney.gateway.http.metrics;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** Makes pages of metrics. Called by a worker thread, for one page at a time; it may take its time. */
@FunctionalInterface
public interface MetricsSource {

    /**
     * Writes a page.
     *
     * @param namespace the only namespace to be told about, besides the process; null for all of them
     * @param out not to be closed
     */
    void write(MetricsFormat format, @Nullable String namespace, OutputStream out) throws IOException;
}
