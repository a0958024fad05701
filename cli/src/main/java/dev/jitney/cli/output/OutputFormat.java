package dev.jitney.cli.output;

/** The format of printed data. */
public enum OutputFormat {
    /** Aligned columns, for people. */
    TABLE,
    /** One JSON document a line, for programs. */
    JSON
}
