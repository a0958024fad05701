/**
 * {@code ./jitney bench connections}: the cost of opening connections.
 *
 * <p>Read {@link dev.jitney.benchmarks.connections.ConnectionsCommand} first, then
 * {@link dev.jitney.benchmarks.connections.Opening}.
 */
@NullMarked
package dev.jitney.benchmarks.connections;

import org.jspecify.annotations.NullMarked;
