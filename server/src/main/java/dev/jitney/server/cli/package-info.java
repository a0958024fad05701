/**
 * The command line: {@link dev.jitney.server.cli.JitneyCli} is the entry point of the process.
 *
 * <p>Every option is also an environment variable. Command-line options override environment variables, these override
 * the configuration file, and it overrides the defaults. Invalid options end the process with status 2 and one line on
 * standard error.
 */
@NullMarked
package dev.jitney.server.cli;

import org.jspecify.annotations.NullMarked;
