package dev.jitney.paired;

import com.azure.messaging.servicebus.ServiceBusFailureReason;
import dev.jitney.paired.internal.failure.Failures;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The rule that decides which failures mean that a queue or topic is unavailable. It sees a failure after the SDK's retries, as
 * the failure of the send (C-3).
 */
public enum FailureClassifier {
    /**
     * Timeouts and all other failures of the service or the connection, also if the entity is disabled, missing or full. Not
     * included: a busy service, a missing right to send, and faults of the message (PAIR-9). Any failure of a ping keeps messages
     * diverted until a ping succeeds (PAIR-37).
     */
    SEED {
        @Override
        public boolean startsFailover(Throwable failure) {
            return Failures.isOfTheService(failure)
                    && !Failures.isAboutTheMessage(failure)
                    && !NOT_UNAVAILABLE.contains(String.valueOf(Failures.reason(failure)));
        }

        @Override
        boolean endsDiversion(Throwable failedPing) {
            return false;
        }

        @Override
        boolean givesUpMessage(Throwable failedSend) {
            return Failures.isAboutTheMessage(failedSend);
        }
    },

    /**
     * Timeouts and failures that the SDK calls transient (PAIR-10). A permanent failure of a ping makes the path {@link
     * PathState#UNREACHABLE} (PAIR-37).
     */
    LEGACY {
        @Override
        public boolean startsFailover(Throwable failure) {
            return Failures.isTransient(failure);
        }

        @Override
        boolean endsDiversion(Throwable failedPing) {
            return !Failures.isTransient(failedPing);
        }

        @Override
        boolean givesUpMessage(Throwable failedSend) {
            return Failures.isAboutTheMessage(failedSend)
                    || PERMANENT_OF_THE_ENTITY.contains(String.valueOf(Failures.reason(failedSend)));
        }
    };

    private static final Set<String> NOT_UNAVAILABLE =
            names(ServiceBusFailureReason.SERVICE_BUSY, ServiceBusFailureReason.UNAUTHORIZED);

    private static final Set<String> PERMANENT_OF_THE_ENTITY = names(
            ServiceBusFailureReason.MESSAGING_ENTITY_DISABLED,
            ServiceBusFailureReason.MESSAGING_ENTITY_NOT_FOUND,
            ServiceBusFailureReason.UNAUTHORIZED);

    /** Returns whether this failure of a send makes its path suspect. */
    public abstract boolean startsFailover(Throwable failure);

    /** Returns whether this failure of a ping makes its path unreachable. */
    abstract boolean endsDiversion(Throwable failedPing);

    /** Returns whether the syphon moves the message to the dead-letter queue of its backlog queue after this failure (PAIR-47). */
    abstract boolean givesUpMessage(Throwable failedSend);

    private static Set<String> names(ServiceBusFailureReason... reasons) {
        return Arrays.stream(reasons).map(Object::toString).collect(Collectors.toUnmodifiableSet());
    }
}
