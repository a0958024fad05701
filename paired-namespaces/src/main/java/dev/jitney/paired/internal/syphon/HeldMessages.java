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
 * Messages of one backlog queue whose destinations are away, in memory while they are locked: when a destination comes
 * back within that time they need not be delivered again. Bounded in number and bytes. For any thread.
 */
public final class HeldMessages {
    private static final int COUNT_MAX = 500;
    private static final long BYTES_MAX = 4L * 1024 * 1024;
    /** What a message takes beside its body, and what one takes whose body is not bytes. */
    private static final int BYTES_OF_A_MESSAGE = 1024;

    private final Deque<BacklogMessage> messages = new ArrayDeque<>();
    private long bytes;

    /** Whether there was room; else the message is delivered again when its lock has ended. */
    public synchronized boolean add(BacklogMessage message) {
        long more = bytes(message);
        if (messages.size() >= COUNT_MAX || bytes + more > BYTES_MAX) {
            return false;
        }
        messages.add(message);
        bytes += more;
        return true;
    }

    /** Takes out what can be tried again, and drops what is no longer locked. */
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

    /** When the first of the destinations is tried next, or null if nothing is held. */
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
