package dev.jitney.distribution;

import java.io.IOException;

/** A failure to write the artifacts. The message has the cause and the fix. */
final class ReleaseException extends IOException {
    private static final long serialVersionUID = 1L;

    ReleaseException(String message) {
        super(message);
    }
}
