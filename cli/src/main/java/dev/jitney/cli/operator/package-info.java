/**
 * {@code jitney message} and {@code jitney explain}: search, inspection and repair of messages over the operator API of a Jitney server.
 *
 * <p>Read {@link dev.jitney.cli.operator.OperatorCommands} (the group), {@link dev.jitney.cli.operator.OperatorApi} (the requests),
 * {@link dev.jitney.cli.operator.Search} (pages of messages), {@link dev.jitney.cli.operator.ListMessages}, {@link
 * dev.jitney.cli.operator.ShowMessage}, {@link dev.jitney.cli.operator.ActCommand} (a change of chosen messages), {@link
 * dev.jitney.cli.operator.MessageActs} (the changes) and {@link dev.jitney.cli.operator.EditMessage}, and then {@link dev.jitney.cli.operator.ExplainCommand}.
 */
@NullMarked
package dev.jitney.cli.operator;

import org.jspecify.annotations.NullMarked;
