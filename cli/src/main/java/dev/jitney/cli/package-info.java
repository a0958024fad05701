/**
 * The command line. {@link dev.jitney.cli.JitneyCommands} is the main class.
 *
 * <p>It is a client of any namespace, of Jitney or of Azure, through the official SDK, and does not depend on the broker
 * ({@code docs/adr/0008}). Data goes to standard output, everything else to standard error. A failure is one line there
 * and an exit status.
 */
@NullMarked
package dev.jitney.cli;

import org.jspecify.annotations.NullMarked;
