/**
 * The test kit: a Service Bus broker in a test.
 *
 * <p>Read in this order: {@link dev.jitney.testkit.JitneyBroker} and {@link dev.jitney.testkit.Jitney}, the
 * {@link dev.jitney.testkit.NamespaceDefinition} with {@link dev.jitney.testkit.QueueDefinition},
 * {@link dev.jitney.testkit.TopicDefinition} and {@link dev.jitney.testkit.SubscriptionDefinition}, the entities
 * {@link dev.jitney.testkit.ReceivableEntity}, {@link dev.jitney.testkit.JitneyQueue} and
 * {@link dev.jitney.testkit.JitneyTopic} with {@link dev.jitney.testkit.OutgoingMessage} and
 * {@link dev.jitney.testkit.StoredMessage}, then {@link dev.jitney.testkit.BrokerClock} and
 * {@link dev.jitney.testkit.Faults}. Inside: {@code BrokerLoader} and {@code BrokerJars} start the broker, {@code BrokerHttp} and
 * {@code NamespaceAccess} talk to it, and {@code Explanation} writes the errors of assertions.
 */
@NullMarked
package dev.jitney.testkit;

import org.jspecify.annotations.NullMarked;
