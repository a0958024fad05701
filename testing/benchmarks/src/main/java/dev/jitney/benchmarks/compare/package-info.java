/**
 * Jitney beside other brokers, driven by one client in alternating runs. In reading order: {@code CompareCommand} (what can
 * be asked), {@code BrokerComparison} (whose turn it is), {@code Scenario} and what implements it, {@code Broker} with
 * {@code JitneyBroker} and {@code ArtemisBroker}; {@code ResultsFile} keeps what was found, {@code Report} makes tables
 * and plots of it, at once or later.
 *
 * <p>Who may depend on it: the entry of the benchmarks.
 */
@NullMarked
package dev.jitney.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
