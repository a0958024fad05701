package dev.jitney.crash.forward;

import dev.jitney.crash.support.CrashLedger;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one {@link Route}. From the accepted send until its removal, each message is in exactly one place of
 * the route. While the send or the removal is pending, it is in one place or in none. A removed message is never
 * delivered again. Where a route keeps the order, the sequence numbers at its end increase with the numbers of each
 * sender. Thread-safe.
 *
 * <p>The id of a message contains its sender and its number: {@link #messageId}.
 */
final class RouteLedger extends CrashLedger {

    private final Route route;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    /** The messages at the end of an ordered route: by sender, the sender's number and the sequence number. */
    private final Map<String, TreeMap<Long, Long>> order = new HashMap<>();

    private boolean deleting;
    private int accepted;
    private int detours;

    private static final class Entry {
        boolean accepted;

        /** True if a receiver holds the message. */
        boolean held;

        /** True if a client has requested its removal. */
        boolean leaving;

        /** True if the message may have been deleted with its entity. */
        boolean doomed;

        @Nullable
        String place;
    }

    /**
     * A message in a place.
     *
     * @param reason its application property DeadLetterReason, or null
     */
    record Seen(
            String messageId,
            String place,
            long sequenceNumber,
            @Nullable Object reason) {}

    RouteLedger(Route route) {
        this.route = route;
    }

    static String messageId(String sender, long number) {
        return sender + ":" + number;
    }

    /** Records a send. Until its outcome, the message may or may not be stored. */
    synchronized void sent(String messageId) {
        Entry entry = new Entry();
        entry.doomed = deleting;
        entries.put(messageId, entry);
    }

    synchronized void accepted(String messageId) {
        accepted++;
        Entry entry = entries.get(messageId);
        if (entry != null) { // a receiver may have completed it before
            entry.accepted = true;
        }
    }

    /** Records a delivery. */
    synchronized void delivered(Seen message) {
        Entry entry = known(message);
        if (entry != null) {
            if (entry.held) {
                trouble(message.messageId() + " was delivered twice, the second time from " + message.place());
            }
            entry.held = true;
            judge(message);
        }
    }

    /** Records that the receiver has abandoned or dead-lettered a message. */
    synchronized void givenBack(String messageId) {
        Entry entry = entries.get(messageId);
        if (entry != null) {
            entry.held = false;
        }
    }

    /** Records that a client has requested the removal of a message. */
    synchronized void leaving(String messageId) {
        Entry entry = entries.get(messageId);
        if (entry != null) {
            entry.leaving = true;
        }
    }

    /** Records that a message was removed. */
    synchronized void taken(String messageId) {
        if (entries.remove(messageId) == null) {
            trouble(messageId + " was removed twice");
        }
    }

    /**
     * Records that a deletion of an entity was requested. Messages that are in it, or arrive before the deletion, may
     * be deleted with it.
     */
    synchronized void deleting(String entity) {
        deleting = true;
        for (Entry entry : entries.values()) {
            if (entry.place == null || entry.place.startsWith(entity)) {
                entry.doomed = true;
            }
        }
    }

    /** Records that the entity was deleted. Messages sent from now on remain on the route. */
    synchronized void deleted() {
        deleting = false;
    }

    /** Compares with all messages of a restarted broker on the whole route, when no message is in transit. */
    synchronized void compare(List<Seen> found) {
        Map<String, Seen> seen = new HashMap<>();
        for (Seen message : found) {
            Seen twin = seen.put(message.messageId(), message);
            if (twin != null) {
                trouble(message.messageId() + " exists twice: in " + twin.place() + " and in " + message.place());
            }
            if (known(message) != null) {
                judge(message);
            }
        }
        entries.entrySet().removeIf(each -> {
            Entry entry = each.getValue();
            Seen message = seen.get(each.getKey());
            if (message == null && entry.accepted && !entry.leaving && !entry.doomed) {
                trouble(each.getKey() + " is lost; it was last in " + entry.place);
            }
            return message == null;
        });
        for (Map.Entry<String, Entry> each : entries.entrySet()) {
            Entry entry = each.getValue();
            entry.accepted = true;
            entry.held = false;
            entry.leaving = false;
            entry.doomed = false;
            entry.place = seen.get(each.getKey()).place();
        }
        deleting = false;
        // All further messages are newer than these.
        order.values().forEach(numbers -> numbers.headMap(numbers.lastKey()).clear());
    }

    private @Nullable Entry known(Seen message) {
        Entry entry = entries.get(message.messageId());
        if (entry == null) {
            trouble(message.messageId() + " is in " + message.place() + ", but was removed or never sent");
        }
        return entry;
    }

    /** Checks the place, the order and the dead-letter reason of a message. */
    private void judge(Seen message) {
        Route.Place place = route.place(message.place());
        if (place == null) {
            trouble(message.messageId() + " is in " + message.place() + ", which is not a place of the route");
            return;
        }
        if (!place.allows(message.reason())) {
            trouble(message.messageId() + " is in " + message.place() + " with the unexpected dead-letter reason "
                    + message.reason());
        }
        if (place.kind() == Route.Kind.DETOUR) {
            detours++;
        }
        if (place.kind() == Route.Kind.ORDERED_END) {
            inOrder(message);
        }
    }

    private void inOrder(Seen message) {
        int colon = message.messageId().lastIndexOf(':');
        long number = Long.parseLong(message.messageId().substring(colon + 1));
        TreeMap<Long, Long> numbers =
                order.computeIfAbsent(message.messageId().substring(0, colon), sender -> new TreeMap<>());
        Map.Entry<Long, Long> before = numbers.lowerEntry(number);
        Map.Entry<Long, Long> after = numbers.higherEntry(number);
        if (before != null && before.getValue() >= message.sequenceNumber()
                || after != null && after.getValue() <= message.sequenceNumber()) {
            trouble(message.messageId() + " has sequence number " + message.sequenceNumber() + " in " + message.place()
                    + ", but is between " + before + " and " + after + " (number of the sender = sequence number)");
        }
        numbers.put(number, message.sequenceNumber());
    }

    /** Records a violation on this route. */
    void trouble(String what) {
        complain(route.name() + ": " + what + ".");
    }

    /** Returns the number of messages that are or may be on the route. */
    synchronized int size() {
        return entries.size();
    }

    synchronized int accepted() {
        return accepted;
    }

    /** Returns the number of messages that were found in a dead-letter or transfer dead-letter queue. */
    synchronized int detours() {
        return detours;
    }
}
