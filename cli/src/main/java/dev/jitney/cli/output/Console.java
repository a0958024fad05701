package dev.jitney.cli.output;

import java.io.InputStream;
import java.io.PrintStream;
import java.time.Clock;
import java.util.Map;

/**
 * The environment of the process: streams, environment variables, clock, and terminals. A process has one; a test creates its
 * own.
 *
 * @param terminal whether standard error is a terminal, so that progress can be redrawn in place
 * @param screen whether standard output is a terminal, so that it can be redrawn and colored
 * @param questions whether a user can answer a question
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

    /**
     * Prints one line for people on standard error, because standard output is for data only. The line may have words of a server or of a
     * message, so a dot takes the place of each character that a terminal would obey.
     */
    public void note(String line) {
        err.println(Table.harmless(line));
        err.flush();
    }
}
