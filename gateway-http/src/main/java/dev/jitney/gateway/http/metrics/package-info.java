/**
 * {@code GET /metrics}, and what the gateway counts about its own requests.
 *
 * <p>{@link dev.jitney.gateway.http.metrics.MetricsHandler} answers, {@link dev.jitney.gateway.http.metrics.MetricsPages}
 * sees to it that pages are made one at a time and away from event loops, {@link
 * dev.jitney.gateway.http.metrics.MetricsSource} makes them; its maker is the server module, which alone knows a metrics
 * library. {@link dev.jitney.gateway.http.metrics.HttpMeter} counts requests.
 */
@NullMarked
package dev.jitney.gateway.http.metrics;

import org.jspecify.annotations.NullMarked;
