package dev.jitney.paired;

import org.jspecify.annotations.Nullable;

/**
 * A send to a path that is {@link PathState#UNREACHABLE}: its ping failed for good, for the reason given as the cause.
 * Only with {@link FailureClassifier#LEGACY} (PAIR-37).
 */
public final class SendAvailabilityMessagingException extends MessagingException {
    private static final long serialVersionUID = 1L;

    private final String path;

    SendAvailabilityMessagingException(String path, @Nullable Throwable cause) {
        super(
                "Expected '" + path + "' to be reachable again, but its ping fails for good: "
                        + (cause == null ? "no reason known" : cause.getMessage())
                        + " Messages for it are not taken until a ping arrives or markPathHealthy is called.",
                cause);
        this.path = path;
    }

    /** Of the queue or topic in the primary namespace. */
    public String path() {
        return path;
    }
}
