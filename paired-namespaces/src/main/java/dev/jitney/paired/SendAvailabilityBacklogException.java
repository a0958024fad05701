package dev.jitney.paired;

import org.jspecify.annotations.Nullable;

/** There is no usable backlog queue: none was found or created at the pairing (PAIR-5), or all have failed (PAIR-17). */
public final class SendAvailabilityBacklogException extends MessagingException {
    private static final long serialVersionUID = 1L;

    SendAvailabilityBacklogException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
