/**
 * Output and end of a command: {@link dev.jitney.cli.output.Console} (the streams of the process),
 * {@link dev.jitney.cli.output.Report} (documents as JSON lines or as a table), {@link dev.jitney.cli.output.Progress}
 * (progress of long work, on standard error), {@link dev.jitney.cli.output.Screen} (the terminal), and
 * {@link dev.jitney.cli.output.Failure} (one line and an exit status).
 */
@NullMarked
package dev.jitney.cli.output;

import org.jspecify.annotations.NullMarked;
