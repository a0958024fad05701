package dev.jitney.server;

import java.net.BindException;
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

    /**
     * A listener could not be opened.
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
                        option + ": Another program listens on this port of " + host
                                + "; stop it, or give another port (" + name + " 0 = any free one).",
                        e);
            }
        }
        return fault(option + ": Cannot listen there on --host " + host + ": " + e.getMessage(), e);
    }

    /** What a process that ends because of it exits with: 2 for options that cannot work, 1 for everything else. */
    public int exitCode() {
        return exitCode;
    }
}
