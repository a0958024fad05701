package dev.jitney.server.cli;

/** How log lines look. */
enum LogFormat {
    /** For people. */
    TEXT,
    /** For programs: one JSON object per line. */
    JSON
}
