package dev.jitney.cli.output;

import java.io.InputStream;
import java.io.PrintStream;
import java.time.Clock;
import java.util.Map;

/**
 * What the process was given: streams, environment, time, and whether somebody watches. One per process; a test makes
 * its own.
 *
 * @param terminal whether standard error is a terminal, so that progress may be drawn over itself
 * @param screen whether standard output is a terminal, so that it may be drawn over and colored
 * @param questions whether somebody can answer a question
 */
public record Console(
        InputStream in,
        PrintStream out,
        PrintStream err,
        Map<String, String> environment,
        boolean terminal,
        boolean screen,
        boolean questions,
        Clock clock,
        Interruption interruption) {

    /** One line for people, on standard error, so that standard output is for data alone. */
    public void note(String line) {
        err.println(line);
        err.flush();
    }
}
