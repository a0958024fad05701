package dev.jitney.codec;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;

/** Says that bytes of a client are not the message they should be, and what to answer. */
public final class MessageFormatException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Rejection rejection;

    /** Takes the answer for the client. */
    public MessageFormatException(Rejection rejection) {
        super(rejection.description(), null, false, false); // expected with hostile peers: no stack trace to pay for
        this.rejection = rejection;
    }

    /** What the sender is to be told. */
    public Rejection rejection() {
        return rejection;
    }

    /** The bytes do not follow the AMQP encoding or the message format. */
    public static MessageFormatException decodeError(String description) {
        return new MessageFormatException(new Rejection(ErrorCode.DECODE_ERROR, description));
    }

    /** The encoding is right, the value is not. */
    public static MessageFormatException argument(String description) {
        return new MessageFormatException(new Rejection(ErrorCode.ARGUMENT, description));
    }
}
