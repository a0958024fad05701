/**
 * {@code jitney message} and {@code jitney session}: search, inspection and repair of messages and sessions over the operator API of a Jitney server. {@code jitney
 * job}: work on many messages. {@code jitney explain}: where a message would go. {@code jitney audit}: its
 * administrative actions.
 *
 * <p>Read {@link dev.jitney.cli.operator.OperatorCommands} (the group), {@link dev.jitney.cli.operator.OperatorServer} and {@link
 * dev.jitney.cli.operator.OperatorApi} (the requests),
 * {@link dev.jitney.cli.operator.Search} (pages of messages), {@link dev.jitney.cli.operator.ListMessages}, {@link
 * dev.jitney.cli.operator.DeadLetterGroups}, {@link dev.jitney.cli.operator.DeadLetterNote}, {@link
 * dev.jitney.cli.operator.ShowMessage}, {@link dev.jitney.cli.operator.ActCommand} (a change of chosen messages), {@link
 * dev.jitney.cli.operator.MessageActs} (the changes), {@link dev.jitney.cli.operator.EditMessage}, {@link
 * dev.jitney.cli.operator.ListSessions}, {@link dev.jitney.cli.operator.SessionCommands}, {@link
 * dev.jitney.cli.operator.JobCommands}, {@link dev.jitney.cli.operator.ExplainCommand} and {@link
 * dev.jitney.cli.operator.AuditCommand}.
 */
@NullMarked
package dev.jitney.cli.operator;

import org.jspecify.annotations.NullMarked;
