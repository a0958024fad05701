package dev.jitney.server.tls;

/** A certificate or key that cannot be used. The message names the file and the fix, in one line. */
public final class TlsException extends Exception {
    private static final long serialVersionUID = 1L;

    TlsException(String message) {
        super(message.replaceAll("\\s*\\R\\s*", " "));
    }

    TlsException(String message, Throwable cause) {
        super(message.replaceAll("\\s*\\R\\s*", " "), cause);
    }
}
