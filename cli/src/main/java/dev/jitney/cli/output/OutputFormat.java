package dev.jitney.cli.output;

/** How data is printed. */
public enum OutputFormat {
    /** Aligned columns, for people. */
    TABLE,
    /** One JSON document a line, for programs. */
    JSON
}
