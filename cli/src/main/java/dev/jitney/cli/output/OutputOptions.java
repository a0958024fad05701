package dev.jitney.cli.output;

import java.util.Locale;
import picocli.CommandLine.Option;

/** The option that says how data is printed. */
public final class OutputOptions {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            order = 910,
            description = "table for people, json (one document a line) for programs (JITNEY_OUTPUT). Default: table.")
    private String output = "table";

    public OutputFormat format() {
        try {
            return OutputFormat.valueOf(output.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw Failure.badOption("--output: Expected table or json, but got '" + output + "'.");
        }
    }
}
