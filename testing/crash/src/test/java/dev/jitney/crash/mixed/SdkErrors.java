package dev.jitney.crash.mixed;

import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The errors that the SDK passes on to its callers, by kind. Thread-safe.
 *
 * <p>The SDK repeats a call after an error that it may repeat. A caller sees such an error only after the last attempt. All
 * other errors are expected only if they report the loss of a lock or of a transaction, which no retry can bring back.
 */
public final class SdkErrors {
    private static final int KINDS_MAX = 100;

    /** The reasons that report the loss of something which ends with a leader: a lock, a session, a deferred message's place. */
    private static final Set<String> LOSSES = Set.of(
            "MESSAGE_LOCK_LOST",
            "SESSION_LOCK_LOST",
            "MESSAGE_NOT_FOUND",
            "SERVICE_TIMEOUT",
            "SERVICE_BUSY",
            "SERVICE_COMMUNICATION_ERROR");

    private final Map<String, Integer> kinds = new TreeMap<>();
    private final Map<String, Throwable> unexpected = new TreeMap<>();

    synchronized void add(Throwable error) {
        String kind = kind(error);
        if (kinds.size() < KINDS_MAX || kinds.containsKey(kind)) {
            kinds.merge(kind, 1, Integer::sum);
        }
        if (!isRetryable(error) && unexpected.size() < KINDS_MAX) {
            unexpected.putIfAbsent(kind, error);
        }
    }

    private static boolean isRetryable(Throwable error) {
        for (Throwable e = error; e != null; e = e.getCause()) {
            if (e instanceof ServiceBusException bus
                    && (bus.isTransient() || LOSSES.contains(String.valueOf(bus.getReason())))) {
                return true;
            }
            if (e instanceof AmqpException amqp && amqp.isTransient()) {
                return true;
            }
        }
        return false;
    }

    private static String kind(Throwable error) {
        StringBuilder text = new StringBuilder();
        for (Throwable e = error; e != null && e != e.getCause(); e = e.getCause()) {
            text.append(text.isEmpty() ? "" : " < ").append(e.getClass().getSimpleName());
            if (e instanceof ServiceBusException bus) {
                text.append(' ').append(bus.getReason());
            } else if (e instanceof AmqpException amqp) {
                text.append(' ').append(condition(amqp)).append(amqp.isTransient() ? "" : " (not transient)");
            }
        }
        return text.toString();
    }

    private static @Nullable Object condition(AmqpException error) {
        return error.getErrorCondition();
    }

    /** Returns how many errors of each kind callers have seen. */
    public synchronized Map<String, Integer> kinds() {
        return new TreeMap<>(kinds);
    }

    /** Returns one example of each kind that callers must not see. */
    public synchronized Map<String, Throwable> unexpected() {
        return new TreeMap<>(unexpected);
    }
}
