/**
 * The pages of {@code GET /metrics}: the numbers of broker, gateways and process in the format of Prometheus.
 *
 * <p>{@link dev.jitney.server.metrics.BrokerMetrics} creates a page from groups of families. The names and their
 * descriptions are constants of the groups; {@link dev.jitney.server.metrics.EntityGroup} is the largest. Message
 * processing does not call this package: numbers are read when a page is requested.
 */
@NullMarked
package dev.jitney.server.metrics;

import org.jspecify.annotations.NullMarked;
