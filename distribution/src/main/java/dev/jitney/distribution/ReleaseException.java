package dev.jitney.distribution;

import java.io.IOException;

/** The artifacts cannot be made; the message says why and what to do. */
final class ReleaseException extends IOException {
    private static final long serialVersionUID = 1L;

    ReleaseException(String message) {
        super(message);
    }
}
