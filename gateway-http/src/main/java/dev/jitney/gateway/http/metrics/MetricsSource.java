package dev.jitney.gateway.http.metrics;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** A source of metrics pages. Called by a worker thread, for one page at a time; it may take long. */
@FunctionalInterface
public interface MetricsSource {

    /**
     * Writes a page.
     *
     * @param namespace the only namespace on the page, besides the process; null for all of them
     * @param out must not be closed
     */
    void write(MetricsFormat format, @Nullable String namespace, OutputStream out) throws IOException;
}
