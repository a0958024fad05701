package dev.jitney.server.cli;

/** How much is logged to standard error. */
enum LogLevel {
    TRACE,
    DEBUG,
    INFO,
    WARN,
    ERROR,
    OFF
}
