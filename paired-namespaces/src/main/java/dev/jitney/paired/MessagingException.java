package dev.jitney.paired;

import com.azure.core.exception.AzureException;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong with paired namespaces themselves. Failures of single sends stay what the SDK throws, a {@link
 * com.azure.messaging.servicebus.ServiceBusException} in most cases.
 */
public class MessagingException extends AzureException {
    private static final long serialVersionUID = 1L;

    MessagingException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Whether the same call may succeed when it is simply repeated; false for all that is thrown here. */
    public boolean isTransient() {
        return false;
    }
}
