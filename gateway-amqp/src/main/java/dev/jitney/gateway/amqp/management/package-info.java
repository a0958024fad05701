/**
 * The requests to an entity's {@code $management} node (wire reference chapter 6): peek, renew, schedule, settle by
 * lock token, receive deferred messages, delete batches, manage rules.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.amqp.management.ManagementNode}, {@code MessageOperations},
 * {@code RuleOperations}, {@link dev.jitney.gateway.amqp.management.RequestMessage},
 * {@link dev.jitney.gateway.amqp.management.ResponseMessage}. The callers handle links and connections. The node for
 * {@code $cbs} uses the two message classes too.
 */
@NullMarked
package dev.jitney.gateway.amqp.management;

import org.jspecify.annotations.NullMarked;
