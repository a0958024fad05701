package dev.jitney.gateway.http.metrics;

/**
 * The access to the metrics, and their source.
 *
 * @param source writes the pages
 */
public record HttpMetrics(MetricsAccess access, MetricsSource source) {

    /** Returns metrics without a page. */
    public static HttpMetrics off() {
        return new HttpMetrics(MetricsAccess.OFF, (format, namespace, out) -> {});
    }
}
