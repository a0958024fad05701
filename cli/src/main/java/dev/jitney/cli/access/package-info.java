/**
 * {@code jitney access}: the access rules of a namespace, queue or topic, over the operator API of a Jitney server.
 *
 * <p>Read {@link dev.jitney.cli.access.AccessCommands} (the group), {@link dev.jitney.cli.access.AccessCommand} (their base), {@link
 * dev.jitney.cli.access.AccessRules} (the requests), {@link dev.jitney.cli.access.AccessRights}, {@link
 * dev.jitney.cli.access.SecretOutput} (the places of connection strings), and then the commands: {@link
 * dev.jitney.cli.access.ListRules}, {@link dev.jitney.cli.access.CreateRule}, {@link dev.jitney.cli.access.RotateKeys} and {@link
 * dev.jitney.cli.access.RevokeRule}.
 */
@NullMarked
package dev.jitney.cli.access;

import org.jspecify.annotations.NullMarked;
