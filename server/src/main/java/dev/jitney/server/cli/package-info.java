/**
 * The command line: {@link dev.jitney.server.cli.JitneyCli} is the entry of the process.
 *
 * <p>Every option is an environment variable as well; the command line wins over the environment, the environment over
 * the configuration file, and that over the defaults. What cannot work ends with status 2 and one line on standard
 * error.
 */
@NullMarked
package dev.jitney.server.cli;

import org.jspecify.annotations.NullMarked;
