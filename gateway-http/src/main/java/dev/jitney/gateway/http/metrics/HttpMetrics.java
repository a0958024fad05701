package dev.jitney.gateway.http.metrics;

/**
 * Who may read the metrics, and where they come from.
 *
 * @param source makes the pages
 */
public record HttpMetrics(MetricsAccess access, MetricsSource source) {

    /** Nothing is shown. */
    public static HttpMetrics off() {
        return new HttpMetrics(MetricsAccess.OFF, (format, namespace, out) -> {});
    }
}
