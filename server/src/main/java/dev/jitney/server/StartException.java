package dev.jitney.server;

import java.net.BindException;
import org.jspecify.annotations.Nullable;

/** The failure of a server to start. The message names the option and the fix, in one line. */
public final class StartException extends Exception {
    /** A fault of the machine or its environment: a port in use, a directory in use. */
    static final int FAULT = 1;
    /** Invalid options, which the operator has to change. */
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

    /**
     * Returns the exception for a listener that could not be opened.
     *
     * @param option the option with its value
     */
    static StartException cannotListen(String option, String host, Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            boolean bind = cause instanceof BindException
                    || cause.getClass().getName().contains("NativeIoException"); // what native transports throw
            if (bind && String.valueOf(cause.getMessage()).contains("in use")) {
                String name = option.substring(0, option.indexOf(' '));
                return fault(
                        option + ": Another program already listens on this port of " + host
                                + ". Stop that program, or use another port (" + name + " 0 = any free port).",
                        e);
            }
        }
        return fault(option + ": Cannot listen on this port of --host " + host + ": " + e.getMessage(), e);
    }

    /** Returns the exit status of the process: 2 for invalid options, 1 for all other failures. */
    public int exitCode() {
        return exitCode;
    }
}
