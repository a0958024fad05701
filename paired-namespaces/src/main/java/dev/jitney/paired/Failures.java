package dev.jitney.paired;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusErrorSource;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/** Reads what the SDK throws. */
final class Failures {
    /** With these a broker says that another try with the same message would end likewise. */
    private static final Set<AmqpErrorCondition> ABOUT_THE_MESSAGE = Set.of(
            AmqpErrorCondition.LINK_PAYLOAD_SIZE_EXCEEDED,
            AmqpErrorCondition.ARGUMENT_ERROR,
            AmqpErrorCondition.ARGUMENT_OUT_OF_RANGE_ERROR,
            AmqpErrorCondition.NOT_ALLOWED);

    private Failures() {}

    /** Without the wrappings of futures and streams. */
    static Throwable bare(Throwable failure) {
        Throwable bare = Exceptions.unwrap(failure);
        while ((bare instanceof CompletionException || bare instanceof ExecutionException) && bare.getCause() != null) {
            bare = bare.getCause();
        }
        return bare;
    }

    /** Whether a broker or the way to it is what failed. */
    static boolean isOfTheService(Throwable failure) {
        return isTimeout(failure) || failure instanceof ServiceBusException || failure instanceof AmqpException;
    }

    static boolean isTimeout(Throwable failure) {
        return failure instanceof TimeoutException || failure.getCause() instanceof TimeoutException;
    }

    static boolean isTransient(Throwable failure) {
        if (failure instanceof ServiceBusException sdk
                && (sdk.isTransient() || ServiceBusFailureReason.SERVICE_TIMEOUT.equals(sdk.getReason()))) {
            return true;
        }
        return isTimeout(failure) || failure instanceof AmqpException amqp && amqp.isTransient();
    }

    static @Nullable ServiceBusFailureReason reason(Throwable failure) {
        if (failure instanceof ServiceBusException sdk) {
            return sdk.getReason();
        }
        return failure instanceof AmqpException
                ? new ServiceBusException(failure, ServiceBusErrorSource.SEND).getReason()
                : null;
    }

    /** The SDK throws these when it makes bytes of a message. */
    private static boolean cannotBeWritten(Throwable failure) {
        return failure instanceof IllegalArgumentException
                || failure instanceof ArithmeticException
                || failure instanceof ClassCastException
                || failure instanceof UnsupportedOperationException;
    }

    /** Whether no other queue would take the message either: it is too large, or not as it must be (PAIR-47, PAIR-52). */
    static boolean isAboutTheMessage(Throwable failure) {
        Throwable answer =
                failure instanceof ServiceBusException && failure.getCause() != null ? failure.getCause() : failure;
        return cannotBeWritten(answer)
                || ServiceBusFailureReason.MESSAGE_SIZE_EXCEEDED.equals(reason(failure))
                || answer instanceof AmqpException amqp
                        && amqp.getErrorCondition() != null
                        && ABOUT_THE_MESSAGE.contains(amqp.getErrorCondition());
    }
}
