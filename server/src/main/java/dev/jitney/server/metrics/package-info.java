/**
 * What {@code GET /metrics} says: the plain numbers of broker, gateways and process in the words of Prometheus.
 *
 * <p>{@link dev.jitney.server.metrics.BrokerMetrics} makes a page from groups of families; the names and what they mean
 * are constants of the groups, {@link dev.jitney.server.metrics.EntityGroup} the largest of them. Nothing here is called
 * while messages are handled: numbers are read when a page is asked for.
 */
@NullMarked
package dev.jitney.server.metrics;

import org.jspecify.annotations.NullMarked;
