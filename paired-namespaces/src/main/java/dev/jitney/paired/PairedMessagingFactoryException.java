package dev.jitney.paired;

import org.jspecify.annotations.Nullable;

/** The factory has failed, because its partner ended (PAIR-58, PAIR-59) or because the application called {@code fault}. */
public final class PairedMessagingFactoryException extends MessagingException {
    private static final long serialVersionUID = 1L;

    PairedMessagingFactoryException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
