package dev.jitney.codec;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;

/** The exception for bytes from a client that are not a valid message. It contains the error for the client. */
public final class MessageFormatException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Rejection rejection;

    /** Creates an exception with the error for the client. */
    public MessageFormatException(Rejection rejection) {
        super(rejection.description(), null, false, false); // frequent with hostile clients: no costly stack trace
        this.rejection = rejection;
    }

    /** Returns the error for the sender. */
    public Rejection rejection() {
        return rejection;
    }

    /** Returns an exception for bytes that violate the AMQP encoding or the message format. */
    public static MessageFormatException decodeError(String description) {
        return new MessageFormatException(new Rejection(ErrorCode.DECODE_ERROR, description));
    }

    /** Returns an exception for a correctly encoded value that is invalid. */
    public static MessageFormatException argument(String description) {
        return new MessageFormatException(new Rejection(ErrorCode.ARGUMENT, description));
    }
}
