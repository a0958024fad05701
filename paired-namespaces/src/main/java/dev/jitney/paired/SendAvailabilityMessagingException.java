package dev.jitney.paired;

import org.jspecify.annotations.Nullable;

/**
 * A send to a path that is {@link PathState#UNREACHABLE}: a ping failed permanently, with the failure in the cause. Only with
 * {@link FailureClassifier#LEGACY} (PAIR-37).
 */
public final class SendAvailabilityMessagingException extends MessagingException {
    private static final long serialVersionUID = 1L;

    private final String path;

    SendAvailabilityMessagingException(String path, @Nullable Throwable cause) {
        super(
                "Expected '" + path + "' to be reachable again, but its ping fails permanently: "
                        + (cause == null ? "unknown cause" : cause.getMessage())
                        + " It accepts no messages until a ping succeeds or markPathHealthy is called.",
                cause);
        this.path = path;
    }

    /** Returns the path of the queue or topic in the primary namespace. */
    public String path() {
        return path;
    }
}
