/**
 * The brokers that are compared, as processes. Read {@code Broker} and {@code BrokerServer} first, then {@code JitneyBroker}
 * and {@code ArtemisBroker} with {@code ArtemisConfig}; {@code Entities} names the queues and the topic that a scenario uses.
 */
@NullMarked
package dev.jitney.comparison.broker;

import org.jspecify.annotations.NullMarked;
