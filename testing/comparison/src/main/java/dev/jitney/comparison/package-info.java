/**
 * Jitney beside other brokers, driven by one client in alternating runs. In reading order: {@code CompareCommand} (what can
 * be asked), {@code BrokerComparison} (whose turn it is), then the packages {@code broker}, {@code scenario}, {@code result}
 * and {@code report}.
 *
 * <p>The module is built with the Maven profile {@code comparison} only; {@code testing/comparison/compare} and
 * {@code ./jitney bench compare} build it when they need it.
 */
@NullMarked
package dev.jitney.comparison;

import org.jspecify.annotations.NullMarked;
