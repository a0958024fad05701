package dev.jitney.paired.internal.syphon;

import com.azure.core.amqp.models.AmqpMessageBodyType;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The locked messages of one backlog queue whose destinations are unavailable, in memory. If a destination becomes available
 * while they are locked, they need not be delivered again. Bounded in number and bytes. Thread-safe.
 */
public final class HeldMessages {
    private static final int COUNT_MAX = 500;
    private static final long BYTES_MAX = 4L * 1024 * 1024;
    /** The size of a message without its body, and the assumed size of a body that is not bytes. */
    private static final int BYTES_OF_A_MESSAGE = 1024;

    private final Deque<BacklogMessage> messages = new ArrayDeque<>();
    private long bytes;

    /** Adds a message. Returns false if there is no room; then it is delivered again after its lock expires. */
    public synchronized boolean add(BacklogMessage message) {
        long more = bytes(message);
        if (messages.size() >= COUNT_MAX || bytes + more > BYTES_MAX) {
            return false;
        }
        messages.add(message);
        bytes += more;
        return true;
    }

    /** Removes and returns the messages that can be tried again, and drops those that are no longer locked. */
    public synchronized List<BacklogMessage> take(Predicate<BacklogMessage> isLocked, Predicate<BacklogMessage> isDue) {
        List<BacklogMessage> taken = new ArrayList<>();
        for (Iterator<BacklogMessage> all = messages.iterator(); all.hasNext(); ) {
            BacklogMessage message = all.next();
            boolean locked = isLocked.test(message);
            if (!locked || isDue.test(message)) {
                all.remove();
                bytes -= bytes(message);
                if (locked) {
                    taken.add(message);
                }
            }
        }
        return taken;
    }

    /** Returns the earliest next attempt of the destinations, or null if nothing is held. */
    public synchronized @Nullable Instant nextTry(Destinations destinations, Instant now) {
        Instant first = null;
        String last = "";
        for (BacklogMessage message : messages) {
            if (message.path().equals(last)) {
                continue;
            }
            last = message.path();
            Instant next = destinations.nextTry(last);
            Instant at = next == null ? now : next;
            if (first == null || at.isBefore(first)) {
                first = at;
            }
        }
        return first;
    }

    public synchronized void clear() {
        messages.clear();
        bytes = 0;
    }

    private static long bytes(BacklogMessage message) {
        var body = message.message().getRawAmqpMessage().getBody();
        return BYTES_OF_A_MESSAGE + (body.getBodyType() == AmqpMessageBodyType.DATA ? body.getFirstData().length : 0);
    }
}
