/**
 * The requests that come to an entity's {@code $management} node (wire reference chapter 6): peeking, renewing,
 * scheduling, settling by token, deferred messages, batch deletes, rules.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.amqp.management.ManagementNode}, {@code MessageOperations},
 * {@code RuleOperations},
 * {@link dev.jitney.gateway.amqp.management.RequestMessage},
 * {@link dev.jitney.gateway.amqp.management.ResponseMessage}. Links and connections are the business of the callers;
 * the node for {@code $cbs} uses the two message classes as well.
 */
@NullMarked
package dev.jitney.gateway.amqp.management;

import org.jspecify.annotations.NullMarked;
