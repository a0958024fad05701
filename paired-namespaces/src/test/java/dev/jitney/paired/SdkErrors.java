package dev.jitney.paired;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusErrorSource;
import com.azure.messaging.servicebus.ServiceBusException;
import java.util.concurrent.TimeoutException;
import reactor.core.Exceptions;

/** Exceptions of the SDK, created as the SDK creates them from a broker's responses. */
final class SdkErrors {
    private SdkErrors() {}

    static ServiceBusException of(boolean isTransient, AmqpErrorCondition condition) {
        return new ServiceBusException(
                new AmqpException(isTransient, condition, "test: " + condition, null), ServiceBusErrorSource.SEND);
    }

    /** A lost connection. The SDK has no condition for it, but calls it transient. */
    static ServiceBusException communication() {
        return of(true, AmqpErrorCondition.PROTON_IO);
    }

    static ServiceBusException timeout() {
        return of(true, AmqpErrorCondition.TIMEOUT_ERROR);
    }

    /** The SDK's timeout of a try without a response. */
    static ServiceBusException noAnswer() {
        return new ServiceBusException(new TimeoutException("test: no answer"), ServiceBusErrorSource.SEND);
    }

    static ServiceBusException busy() {
        return of(true, AmqpErrorCondition.SERVER_BUSY_ERROR);
    }

    static ServiceBusException unauthorized() {
        return of(false, AmqpErrorCondition.UNAUTHORIZED_ACCESS);
    }

    static ServiceBusException disabled() {
        return of(false, AmqpErrorCondition.ENTITY_DISABLED_ERROR);
    }

    static ServiceBusException notFound() {
        return of(false, AmqpErrorCondition.NOT_FOUND);
    }

    static ServiceBusException full() {
        return of(false, AmqpErrorCondition.RESOURCE_LIMIT_EXCEEDED);
    }

    static ServiceBusException tooLarge() {
        return of(false, AmqpErrorCondition.LINK_PAYLOAD_SIZE_EXCEEDED);
    }

    static ServiceBusException argument() {
        return of(false, AmqpErrorCondition.ARGUMENT_ERROR);
    }

    static ServiceBusException invalidOperation() {
        return of(false, AmqpErrorCondition.NOT_ALLOWED);
    }

    static ServiceBusException internal() {
        return of(true, AmqpErrorCondition.INTERNAL_ERROR);
    }

    /** The failure of a sender after its retries: two wrappers around the last try's failure. */
    static ServiceBusException afterRetries(Throwable failure) {
        Throwable lastTry =
                failure instanceof ServiceBusException && failure.getCause() != null ? failure.getCause() : failure;
        return new ServiceBusException(
                Exceptions.retryExhausted("Retries exhausted: 1/1", lastTry), ServiceBusErrorSource.SEND);
    }
}
