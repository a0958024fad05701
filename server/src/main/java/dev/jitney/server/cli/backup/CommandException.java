package dev.jitney.server.cli.backup;

/** The end of a command with a message for the user. */
final class CommandException extends Exception {
    private static final long serialVersionUID = 1L;

    CommandException(String message) {
        super(message);
    }
}
