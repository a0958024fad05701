package dev.jitney.server.cli.log;

/** The format of log lines. */
public enum LogFormat {
    /** For people. */
    TEXT,
    /** For programs: one JSON object per line. */
    JSON
}
