/**
 * Brokers of several nodes on this machine, and measurements of kills of the leader and of nodes that come back. In reading order:
 * {@code ReplicatedBroker} with {@code BrokerNode}, {@code JitneyCluster}, {@code RabbitCluster}, {@code WaitingSender},
 * {@code SdkSender}, {@code Failover}, {@code SteadyLoad}, {@code CatchUp}.
 */
@NullMarked
package dev.jitney.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
