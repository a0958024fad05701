/**
 * The comparison of Jitney with other brokers, loaded by one client in alternating runs. In reading order:
 * {@code CompareCommand} (the options), {@code BrokerComparison} (the order of the runs), then the packages
 * {@code broker}, {@code scenario}, {@code result} and {@code report}.
 *
 * <p>Only the Maven profile {@code comparison} builds the module; {@code testing/comparison/compare} and
 * {@code ./jitney bench compare} build it when they need it.
 */
@NullMarked
package dev.jitney.comparison;

import org.jspecify.annotations.NullMarked;
