package dev.jitney.cli.output;

import java.util.Locale;
import picocli.CommandLine.Option;

/** The option for the format of printed data. */
public final class OutputOptions {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            order = 910,
            description = "Output format: table for people, json (one document per line) for programs"
                    + " (JITNEY_OUTPUT). Default: table.")
    private String output = "table";

    public OutputFormat format() {
        try {
            return OutputFormat.valueOf(output.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw Failure.badOption("--output: Expected table or json, but got '" + output + "'.");
        }
    }
}
