/**
 * The compared brokers, as processes. Read {@code Broker} and {@code BrokerServer} first, then {@code JitneyBroker} and
 * {@code ArtemisBroker} with {@code ArtemisConfig}; {@code Entities} names the queues and the topic of a scenario.
 */
@NullMarked
package dev.jitney.comparison.broker;

import org.jspecify.annotations.NullMarked;
