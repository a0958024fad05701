package dev.jitney.gateway.http.metrics;

import org.jspecify.annotations.Nullable;

/** The formats of a page. */
public enum MetricsFormat {
    /** The text format of Prometheus, which all tools support. */
    PROMETHEUS("text/plain; version=0.0.4; charset=utf-8"),
    /** OpenMetrics, for clients that accept it. */
    OPEN_METRICS("application/openmetrics-text; version=1.0.0; charset=utf-8");

    private final String contentType;

    MetricsFormat(String contentType) {
        this.contentType = contentType;
    }

    /** Returns the value of Content-Type. */
    public String contentType() {
        return contentType;
    }

    /** Returns the format for a client's Accept header: the text format unless the header names OpenMetrics. */
    static MetricsFormat of(@Nullable String accept) {
        return accept != null && accept.contains("application/openmetrics-text") ? OPEN_METRICS : PROMETHEUS;
    }
}
