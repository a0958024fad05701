package dev.jitney.crash.forward;

import dev.jitney.crash.support.CrashLedger;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the messages of one {@link Route}. Each of them is at exactly one of its places from the moment its send is
 * accepted until it is taken out; before and while that is asked for, at one or at none. What was taken out never comes
 * back. Where a route keeps order, the numbers at its end grow with those of each sender. Thread-safe.
 *
 * <p>A message is known by its id, which tells its sender and its number: {@link #messageId}.
 */
final class RouteLedger extends CrashLedger {

    private final Route route;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    /** By sender, what was seen at the end of an ordered route: the sender's number and the broker's. */
    private final Map<String, TreeMap<Long, Long>> order = new HashMap<>();

    private boolean deleting;
    private int accepted;
    private int detours;

    private static final class Entry {
        boolean accepted;

        /** A receiver has it. */
        boolean held;

        /** It was asked to be taken out. */
        boolean leaving;

        /** It may have been deleted with the entity it was in. */
        boolean doomed;

        @Nullable
        String place;
    }

    /**
     * A message as it was found.
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

    /** A message is sent now; whether it is there is open until it is answered. */
    synchronized void sent(String messageId) {
        Entry entry = new Entry();
        entry.doomed = deleting;
        entries.put(messageId, entry);
    }

    synchronized void accepted(String messageId) {
        accepted++;
        Entry entry = entries.get(messageId);
        if (entry != null) { // a receiver may have been quicker
            entry.accepted = true;
        }
    }

    /** A receiver got it. */
    synchronized void delivered(Seen message) {
        Entry entry = known(message);
        if (entry != null) {
            if (entry.held) {
                trouble(message.messageId() + " came twice, now from " + message.place());
            }
            entry.held = true;
            judge(message);
        }
    }

    /** The receiver gave it back, or had it moved to the dead-letter queue. */
    synchronized void givenBack(String messageId) {
        Entry entry = entries.get(messageId);
        if (entry != null) {
            entry.held = false;
        }
    }

    /** It is asked to be taken out. */
    synchronized void leaving(String messageId) {
        Entry entry = entries.get(messageId);
        if (entry != null) {
            entry.leaving = true;
        }
    }

    /** It was taken out. */
    synchronized void taken(String messageId) {
        if (entries.remove(messageId) == null) {
            trouble(messageId + " was taken out, but it was not there");
        }
    }

    /** An entity of the route is asked to go; messages that may be in it, or get there before that, may go with it. */
    synchronized void deleting(String entity) {
        deleting = true;
        for (Entry entry : entries.values()) {
            if (entry.place == null || entry.place.startsWith(entity)) {
                entry.doomed = true;
            }
        }
    }

    /** It is gone: what is sent from now on stays on the route. */
    synchronized void deleted() {
        deleting = false;
    }

    /** Compares with everything that a restarted broker has on the whole route, when nothing moves any more. */
    synchronized void compare(List<Seen> found) {
        Map<String, Seen> seen = new HashMap<>();
        for (Seen message : found) {
            Seen twin = seen.put(message.messageId(), message);
            if (twin != null) {
                trouble(message.messageId() + " is there twice: in " + twin.place() + " and in " + message.place());
            }
            if (known(message) != null) {
                judge(message);
            }
        }
        entries.entrySet().removeIf(each -> {
            Entry entry = each.getValue();
            Seen message = seen.get(each.getKey());
            if (message == null && entry.accepted && !entry.leaving && !entry.doomed) {
                trouble(each.getKey() + " is lost; it was last seen in " + entry.place);
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
        // What is still to come was sent later than all of this.
        order.values().forEach(numbers -> numbers.headMap(numbers.lastKey()).clear());
    }

    private @Nullable Entry known(Seen message) {
        Entry entry = entries.get(message.messageId());
        if (entry == null) {
            trouble(message.messageId() + " is in " + message.place() + ", but was taken out or never sent");
        }
        return entry;
    }

    /** Whether it may be there, in that order, for that reason. */
    private void judge(Seen message) {
        Route.Place place = route.place(message.place());
        if (place == null) {
            trouble(message.messageId() + " is in " + message.place() + ", where it does not belong");
            return;
        }
        if (!place.allows(message.reason())) {
            trouble(message.messageId() + " is in " + message.place() + " for the reason " + message.reason());
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
            trouble(message.messageId() + " got number " + message.sequenceNumber() + " in " + message.place()
                    + ", between " + before + " and " + after);
        }
        numbers.put(number, message.sequenceNumber());
    }

    /** Something that must not be on this route. */
    void trouble(String what) {
        complain(route.name() + ": " + what + ".");
    }

    /** Messages that are or may be on the route. */
    synchronized int size() {
        return entries.size();
    }

    synchronized int accepted() {
        return accepted;
    }

    /** How often messages were found beside the way, in a dead-letter or transfer dead-letter queue. */
    synchronized int detours() {
        return detours;
    }
}
