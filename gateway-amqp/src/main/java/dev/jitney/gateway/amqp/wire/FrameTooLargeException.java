package dev.jitney.gateway.amqp.wire;

/**
 * A failure to fit a performative into the frames that the peer accepts. Only a peer that sends excessive link
 * properties can cause it.
 */
public final class FrameTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FrameTooLargeException(int sizeBytes, int maxFrameSizeBytes) {
        super("Expected a frame of at most " + maxFrameSizeBytes + " bytes, but the answer needs " + sizeBytes + ".");
    }
}
