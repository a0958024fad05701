package dev.jitney.paired;

import com.azure.core.exception.AzureException;
import org.jspecify.annotations.Nullable;

/**
 * A failure of the pairing itself. Failures of single sends keep the SDK's exception, in most cases a {@link
 * com.azure.messaging.servicebus.ServiceBusException}.
 */
public class MessagingException extends AzureException {
    private static final long serialVersionUID = 1L;

    MessagingException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Returns whether a simple retry of the same call may succeed: false for all exceptions of this library. */
    public boolean isTransient() {
        return false;
    }
}
