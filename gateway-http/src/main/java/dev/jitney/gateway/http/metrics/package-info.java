/**
 * {@code GET /metrics}, and the counters of the gateway's own requests.
 *
 * <p>{@link dev.jitney.gateway.http.metrics.MetricsHandler} responds, {@link
 * dev.jitney.gateway.http.metrics.MetricsPages} creates pages one at a time and outside of event loops, {@link
 * dev.jitney.gateway.http.metrics.MetricsSource} writes them. The server module implements the source, and is the only
 * module that depends on a metrics library. {@link dev.jitney.gateway.http.metrics.HttpMeter} counts requests.
 */
@NullMarked
package dev.jitney.gateway.http.metrics;

import org.jspecify.annotations.NullMarked;
