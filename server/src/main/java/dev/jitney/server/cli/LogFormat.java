package dev.jitney.server.cli;

/** The format of log lines. */
enum LogFormat {
    /** For people. */
    TEXT,
    /** For programs: one JSON object per line. */
    JSON
}
