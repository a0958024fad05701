/**
 * The nodes that answer requests: {@code $cbs} and the management nodes of entities. Everything is called on the event
 * loop of a connection. Links depend on nodes; nodes do not depend on links.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.amqp.node.RequestNode}, {@link dev.jitney.gateway.amqp.node.NodeAccess},
 * {@link dev.jitney.gateway.amqp.node.CbsNode}, {@link dev.jitney.gateway.amqp.node.ManagedEntity}.
 */
@NullMarked
package dev.jitney.gateway.amqp.node;

import org.jspecify.annotations.NullMarked;
