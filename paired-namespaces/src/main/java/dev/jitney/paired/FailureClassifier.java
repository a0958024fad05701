package dev.jitney.paired;

import com.azure.messaging.servicebus.ServiceBusFailureReason;
import dev.jitney.paired.internal.failure.Failures;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which failures mean that a queue or topic is unavailable. They are judged after the retries of the SDK: what still
 * fails then is a failure of the send (C-3).
 */
public enum FailureClassifier {
    /**
     * A timeout, and whatever else the service or the connection to it answers, also that the entity is disabled, missing
     * or full; but not that the service is busy, that the right to send is missing, or that the message is at fault
     * (PAIR-9). A ping may fail with anything: messages are diverted until one arrives (PAIR-37).
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
     * A timeout, and what the SDK calls transient (PAIR-10). A ping that fails for good makes the path {@link
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

    /** Whether a send that failed so makes its path suspect. */
    public abstract boolean startsFailover(Throwable failure);

    /** Whether a ping that failed so makes its path unreachable. */
    abstract boolean endsDiversion(Throwable failedPing);

    /** Whether the syphon moves a message whose send failed so to the dead-letter queue of its backlog (PAIR-47). */
    abstract boolean givesUpMessage(Throwable failedSend);

    private static Set<String> names(ServiceBusFailureReason... reasons) {
        return Arrays.stream(reasons).map(Object::toString).collect(Collectors.toUnmodifiableSet());
    }
}
