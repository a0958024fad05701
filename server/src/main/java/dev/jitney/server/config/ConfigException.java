package dev.jitney.server.config;

/** An invalid configuration file. The message names the file, the place in it and the rule, in one line. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    ConfigException(String message) {
        super(message.replaceAll("\\s*\\R\\s*", " "));
    }
}
