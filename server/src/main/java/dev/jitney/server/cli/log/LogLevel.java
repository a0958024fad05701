package dev.jitney.server.cli.log;

/** The level from which Jitney logs to standard error. */
public enum LogLevel {
    TRACE,
    DEBUG,
    INFO,
    WARN,
    ERROR,
    OFF
}
