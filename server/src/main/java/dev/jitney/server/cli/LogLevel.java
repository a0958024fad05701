package dev.jitney.server.cli;

/** The level from which Jitney logs to standard error. */
enum LogLevel {
    TRACE,
    DEBUG,
    INFO,
    WARN,
    ERROR,
    OFF
}
