package dev.jitney.crash.mixed;

import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The errors that the SDK passes on to its callers, by kind. Thread-safe.
 *
 * <p>The SDK sends again after an error that it may repeat, so that no send may fail. It does not repeat settlements and some
 * requests whose connection ends: it reports them with errors of its own, after a loss of the connection to any server. Errors
 * of the server must be retryable, or report the loss of a lock, of a session or of a transaction, which no retry brings back.
 */
public final class SdkErrors {
    private static final int KINDS_MAX = 100;
    private static final int MESSAGE_CHARACTERS_MAX = 90;

    /** The reasons that report the loss of something that ends with a leader. */
    private static final Set<String> LOSSES = Set.of("MESSAGE_LOCK_LOST", "SESSION_LOCK_LOST", "MESSAGE_NOT_FOUND");

    private static final String TRANSACTION_LOST = "No active Transaction was found";

    /** The time in milliseconds in which callers get errors from before the end of a full disk. */
    private static final long LATE_MS = 15_000;

    private volatile boolean full;
    private volatile long fullMs;

    private final Map<String, Integer> kinds = new TreeMap<>();
    private final Map<String, Throwable> unexpected = new TreeMap<>();

    /** Sets whether the disks of a majority may be full, so that the broker refuses messages with QuotaExceeded (CL-43). */
    public void mayBeFull(boolean now) {
        full = now;
        fullMs = System.currentTimeMillis();
    }

    private boolean isOfFullDisk(Throwable error) {
        return error instanceof ServiceBusException bus
                && "QUOTA_EXCEEDED".equals(String.valueOf(bus.getReason()))
                && fullMs != 0
                && (full || System.currentTimeMillis() - fullMs < LATE_MS);
    }

    /** Records an error of any call. */
    synchronized void add(Throwable error) {
        String kind = kind(error);
        if (kinds.size() < KINDS_MAX || kinds.containsKey(kind)) {
            kinds.merge(kind, 1, Integer::sum);
        }
        if (!isOfFullDisk(error) && !isExpected(error)) {
            keep(kind, error);
        }
    }

    /** Records an error of a send, all of which are unexpected unless a disk is full. */
    synchronized void addOfSend(Throwable error) {
        if (isOfFullDisk(error)) {
            return;
        }
        keep("send: " + kind(error), error);
    }

    private void keep(String kind, Throwable error) {
        if (unexpected.size() < KINDS_MAX) {
            unexpected.putIfAbsent(kind, error);
        }
    }

    private static boolean isExpected(Throwable error) {
        if (error instanceof ServiceBusException bus && LOSSES.contains(String.valueOf(bus.getReason()))
                || String.valueOf(error.getMessage()).startsWith(TRANSACTION_LOST)) {
            return true;
        }
        for (Throwable e = error; e != null && e != e.getCause(); e = e.getCause()) {
            if (e instanceof AmqpException amqp && amqp.getErrorCondition() != null && !amqp.isTransient()) {
                return false; // with a condition, it is an error of the server
            }
        }
        return true;
    }

    /** Returns the types, the conditions and the beginning of the message without numbers. */
    private static String kind(Throwable error) {
        StringBuilder text = new StringBuilder();
        for (Throwable e = error; e != null && e != e.getCause(); e = e.getCause()) {
            text.append(text.isEmpty() ? "" : " < ").append(e.getClass().getSimpleName());
            if (e instanceof ServiceBusException bus) {
                text.append(' ').append(bus.getReason());
            } else if (e instanceof AmqpException amqp) {
                text.append(' ').append(amqp.getErrorCondition()).append(amqp.isTransient() ? "" : " (not transient)");
            }
        }
        String message = String.valueOf(error.getMessage())
                .replaceAll("\\S*\\d\\S*", "#")
                .replaceAll("\\s+", " ");
        return text.append(": ")
                .append(message, 0, Math.min(message.length(), MESSAGE_CHARACTERS_MAX))
                .toString();
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
