package dev.jitney.gateway.http.metrics;

import org.jspecify.annotations.Nullable;

/** The forms a page comes in. */
public enum MetricsFormat {
    /** The text format of Prometheus, which everything reads. */
    PROMETHEUS("text/plain; version=0.0.4; charset=utf-8"),
    /** OpenMetrics, for clients that ask for it. */
    OPEN_METRICS("application/openmetrics-text; version=1.0.0; charset=utf-8");

    private final String contentType;

    MetricsFormat(String contentType) {
        this.contentType = contentType;
    }

    /** The value of Content-Type. */
    public String contentType() {
        return contentType;
    }

    /** The form for a client that accepts this; the text format unless it names the other one. */
    static MetricsFormat of(@Nullable String accept) {
        return accept != null && accept.contains("application/openmetrics-text") ? OPEN_METRICS : PROMETHEUS;
    }
}
