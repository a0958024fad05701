package dev.jitney.paired.internal.failure;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.core.exception.ClientAuthenticationException;
import com.azure.messaging.servicebus.ServiceBusErrorSource;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/** Classification of the SDK's exceptions. */
public final class Failures {
    /** The conditions with which a broker reports that a retry of the same message would fail again. */
    private static final Set<AmqpErrorCondition> ABOUT_THE_MESSAGE = Set.of(
            AmqpErrorCondition.LINK_PAYLOAD_SIZE_EXCEEDED,
            AmqpErrorCondition.ARGUMENT_ERROR,
            AmqpErrorCondition.ARGUMENT_OUT_OF_RANGE_ERROR,
            AmqpErrorCondition.NOT_ALLOWED);

    /** The maximum of nested exceptions, more than the SDK uses. A chain of causes may be circular. */
    private static final int WRAPPERS_MAX = 16;

    private Failures() {}

    /** Returns the exception without the wrappers of futures and streams. */
    public static Throwable bare(Throwable failure) {
        Throwable bare = Exceptions.unwrap(failure);
        while ((bare instanceof CompletionException || bare instanceof ExecutionException) && bare.getCause() != null) {
            bare = bare.getCause();
        }
        return bare;
    }

    /**
     * Returns the failure of the last try. When its retries are used up, the SDK wraps it twice: in an {@link
     * IllegalStateException} with the number of tries, and in a {@link ServiceBusException} without a reason, which is never
     * transient (C-3).
     */
    private static Throwable answer(Throwable failure) {
        Throwable answer = failure;
        for (int depth = 0; depth < WRAPPERS_MAX; depth++) {
            Throwable cause = answer.getCause();
            boolean isWrapper = answer instanceof ServiceBusException
                    || answer instanceof CompletionException
                    || answer instanceof ExecutionException
                    || Exceptions.isRetryExhausted(answer);
            if (cause == null || !isWrapper) {
                break;
            }
            answer = cause;
        }
        return answer;
    }

    /** Returns whether a broker or the connection to it failed, as opposed to the issuer of the client's tokens. */
    public static boolean isOfTheService(Throwable failure) {
        Throwable answer = answer(failure);
        return (isTimeout(answer) || failure instanceof ServiceBusException || answer instanceof AmqpException)
                && !(answer instanceof ClientAuthenticationException);
    }

    private static boolean isTimeout(Throwable answer) {
        return answer instanceof TimeoutException || answer.getCause() instanceof TimeoutException;
    }

    public static boolean isTransient(Throwable failure) {
        if (failure instanceof ServiceBusException sdk && sdk.isTransient()
                || ServiceBusFailureReason.SERVICE_TIMEOUT.equals(reason(failure))) {
            return true;
        }
        Throwable answer = answer(failure);
        return isTimeout(answer) || answer instanceof AmqpException amqp && amqp.isTransient();
    }

    /** Returns the SDK's reason for the last try, or null. */
    public static @Nullable ServiceBusFailureReason reason(Throwable failure) {
        if (failure instanceof ServiceBusException sdk
                && !ServiceBusFailureReason.GENERAL_ERROR.equals(sdk.getReason())) {
            return sdk.getReason();
        }
        Throwable answer = answer(failure);
        if (answer instanceof AmqpException) {
            return new ServiceBusException(answer, ServiceBusErrorSource.SEND).getReason();
        }
        return failure instanceof ServiceBusException ? ServiceBusFailureReason.GENERAL_ERROR : null;
    }

    /** Returns whether the SDK failed to encode a message. */
    private static boolean cannotBeWritten(Throwable failure) {
        return failure instanceof IllegalArgumentException
                || failure instanceof ArithmeticException
                || failure instanceof ClassCastException
                || failure instanceof UnsupportedOperationException;
    }

    /** Returns whether any other queue would refuse the message too: it is too large or malformed (PAIR-47, PAIR-52). */
    public static boolean isAboutTheMessage(Throwable failure) {
        Throwable answer = answer(failure);
        return cannotBeWritten(answer)
                || ServiceBusFailureReason.MESSAGE_SIZE_EXCEEDED.equals(reason(failure))
                || answer instanceof AmqpException amqp
                        && amqp.getErrorCondition() != null
                        && ABOUT_THE_MESSAGE.contains(amqp.getErrorCondition());
    }
}
