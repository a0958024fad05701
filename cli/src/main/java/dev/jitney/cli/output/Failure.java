package dev.jitney.cli.output;

/** What ends a command: one line that says what happened and what helps, and the exit status of the process. */
public final class Failure extends RuntimeException {
    /** A fault: unreachable, refused, or unexpected. */
    public static final int FAULT = 1;
    /** Options that cannot work. */
    public static final int BAD_OPTION = 2;
    /** There is no such entity, rule or message. */
    public static final int NOT_FOUND = 3;
    /** It exists already, or is not as the change needs it. */
    public static final int CONFLICT = 4;
    /** Ended by Ctrl-C, as shells count it. */
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

    /** The line, which is never missing. */
    public String line() {
        return String.valueOf(getMessage());
    }
}
