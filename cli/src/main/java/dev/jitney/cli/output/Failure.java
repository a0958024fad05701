package dev.jitney.cli.output;

/** An exception that ends a command with one line for the user, which contains the cause and advice, and an exit status. */
public final class Failure extends RuntimeException {
    /** A fault: unreachable, refused, or unexpected. */
    public static final int FAULT = 1;
    /** Invalid options. */
    public static final int BAD_OPTION = 2;
    /** The entity, rule or message does not exist. */
    public static final int NOT_FOUND = 3;
    /** The entity exists already, or has another state than the change needs. */
    public static final int CONFLICT = 4;
    /** Ended by Ctrl-C, with the number that shells use. */
    public static final int INTERRUPTED = 130;

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    public Failure(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public Failure(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    public static Failure badOption(String message) {
        return new Failure(BAD_OPTION, message);
    }

    public int exitCode() {
        return exitCode;
    }

    /** Returns the line, which is never empty. */
    public String line() {
        return String.valueOf(getMessage());
    }
}
