package dev.jitney.server;

import org.jspecify.annotations.Nullable;

/** A server that did not start. The message names the option and the fix, in one line. */
public final class StartException extends Exception {
    /** What the machine or its surroundings do not allow: a port in use, a directory in use. */
    static final int FAULT = 1;
    /** What the operator can only set right by asking for something else. */
    static final int BAD_OPTION = 2;

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    private StartException(int exitCode, String message, @Nullable Throwable cause) {
        super(message.replaceAll("\\s*\\R\\s*", " "), cause);
        this.exitCode = exitCode;
    }

    static StartException badOption(String message) {
        return new StartException(BAD_OPTION, message, null);
    }

    static StartException badOption(String message, Throwable cause) {
        return new StartException(BAD_OPTION, message, cause);
    }

    static StartException fault(String message) {
        return new StartException(FAULT, message, null);
    }

    static StartException fault(String message, Throwable cause) {
        return new StartException(FAULT, message, cause);
    }

    /** What a process that ends because of it exits with: 2 for options that cannot work, 1 for everything else. */
    public int exitCode() {
        return exitCode;
    }
}
