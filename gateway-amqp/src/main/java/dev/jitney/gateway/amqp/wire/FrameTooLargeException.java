package dev.jitney.gateway.amqp.wire;

/** A performative does not fit the frames the peer accepts; only a peer that sends absurd link properties meets it. */
public final class FrameTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FrameTooLargeException(int sizeBytes, int maxFrameSizeBytes) {
        super("Expected a frame of at most " + maxFrameSizeBytes + " bytes, but the answer needs " + sizeBytes + ".");
    }
}
