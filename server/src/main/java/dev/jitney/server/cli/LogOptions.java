package dev.jitney.server.cli;

import dev.jitney.server.JitneyServerBuilder;
import java.util.function.Function;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of the log. */
final class LogOptions {
    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            defaultValue = "INFO",
            description = "Lowest level to log: TRACE, DEBUG, INFO, WARN, ERROR or OFF. The log goes to standard"
                    + " error (default: ${DEFAULT-VALUE}).")
    private String level = "INFO";

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            defaultValue = "TEXT",
            description = "Format of log lines: TEXT for people, or JSON with one object per line (default:"
                    + " ${DEFAULT-VALUE}).")
    private String format = "TEXT";

    @Option(
            names = "--log-slow-turns",
            paramLabel = "MS",
            defaultValue = "0",
            description =
                    "Log each turn of a messaging store that takes at least so many milliseconds, with the time of"
                            + " its steps: a turn handles the waiting requests and stores them with one write. 0 = none"
                            + " (default: ${DEFAULT-VALUE}).")
    private int slowTurnMs;

    String level() {
        return level;
    }

    String format() {
        return format;
    }

    /**
     * Sets the options of a server.
     *
     * @param bad makes the exception of invalid options
     */
    void addTo(JitneyServerBuilder builder, Function<String, ParameterException> bad) {
        if (slowTurnMs < 0) {
            throw bad.apply(
                    "--log-slow-turns: Expected 0 or more milliseconds (0 = none), but got " + slowTurnMs + ".");
        }
        builder.slowTurnMs(slowTurnMs);
    }
}
