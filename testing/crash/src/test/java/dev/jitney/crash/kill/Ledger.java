package dev.jitney.crash.kill;

import dev.jitney.crash.support.CrashLedger;
import dev.jitney.testing.client.ReceivedMessage;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * What a client may expect of a queue or a subscription, whatever happens to the broker. Each message has the state the
 * broker last confirmed and, while an answer is out, the one it was asked for. After a crash it must be in one of the two
 * (STATE-2), nowhere twice; and a delivery shows that something is durable as well as an answer does. Thread-safe.
 *
 * <p>A message is known by the number in its id. A subscription may hold it twice: as it was sent, and as an action left
 * it (RULE-5); {@link #copy} tells the two apart.
 */
final class Ledger extends CrashLedger {
    private static final String PREFIX = "m-";
    private static final String CHANGED = "RuleName";

    private final int maxDeliveryCount;
    private final Map<Integer, Entry> entries = new LinkedHashMap<>();
    private final BitSet gone = new BitSet();
    private final Map<Long, Integer> numbersSinceRestart = new HashMap<>();
    private long floor;
    private long highest;
    private int nextNumber;
    private int confirmed;
    private Life life = Life.SERVED;

    /** Whether anything is to be expected of the entity at all. */
    enum Life {
        SERVED,
        /** It was asked to go: it may refuse everything. */
        ENDING,
        /** It is gone with everything in it. */
        GONE
    }

    /** Where a message is. */
    enum Place {
        ABSENT,
        ACTIVE,
        DEFERRED,
        SCHEDULED,
        DEAD
    }

    /** Everything about a message that a crash may not change. */
    record State(Place place, int deliveryCount) {
        static final State ABSENT = new State(Place.ABSENT, 0);
    }

    /** One message. Its fields belong to the ledger. */
    static final class Entry {
        final int id;
        private final int sender;
        private State known = State.ABSENT;
        private @Nullable State pending;
        private int asked;
        private long sequenceNumber;

        private Entry(int id, int sender) {
            this.id = id;
            this.sender = sender;
        }
    }

    /** Something that was asked of the broker. */
    record Request(Entry entry, int number) {}

    Ledger(int maxDeliveryCount) {
        this.maxDeliveryCount = maxDeliveryCount;
    }

    /**
     * The id of a copy in here.
     *
     * @param number of the message
     * @param changed whether it is the copy a rule's action changed
     */
    static int copy(int number, boolean changed) {
        return 2 * number + (changed ? 1 : 0);
    }

    static String messageId(int number) {
        return PREFIX + number;
    }

    /** The body that belongs to a message. */
    static byte[] body(int number) {
        Random random = new Random(number);
        byte[] body = new byte[16 + random.nextInt(3_000)];
        random.nextBytes(body);
        return body;
    }

    /** @return what was asked for, of a message with a number of its own */
    synchronized Request send(int sender, boolean scheduled) {
        return expect(copy(nextNumber++, false), sender, scheduled ? Place.SCHEDULED : Place.ACTIVE);
    }

    /**
     * A message that is on its way to here.
     *
     * @param copy its id, larger than the one before it from this sender
     */
    synchronized Request expect(int copy, int sender, Place place) {
        Entry entry = new Entry(copy, sender);
        entries.put(copy, entry);
        return ask(entry, new State(place, 0));
    }

    synchronized Request remove(Entry entry) {
        return ask(entry, State.ABSENT);
    }

    /** An abandoned message counts; the last failure that is allowed moves it (STATE-7, DLQ-20). */
    synchronized Request abandon(Entry entry) {
        int count = entry.known.deliveryCount + 1;
        return ask(entry, new State(count >= maxDeliveryCount ? Place.DEAD : Place.ACTIVE, count));
    }

    /** Deferring counts (DEFER-6). */
    synchronized Request defer(Entry entry) {
        return ask(entry, new State(Place.DEFERRED, entry.known.deliveryCount + 1));
    }

    /** An explicit move keeps the count (T-16). */
    synchronized Request deadLetter(Entry entry) {
        return ask(entry, new State(Place.DEAD, entry.known.deliveryCount));
    }

    private Request ask(Entry entry, State wanted) {
        entry.pending = wanted;
        return new Request(entry, ++entry.asked);
    }

    /** The broker said it is done. */
    synchronized void confirm(Request request) {
        Entry entry = request.entry;
        if (entry.asked == request.number && entry.pending != null) {
            confirmed++;
            settle(entry, entry.pending);
        }
    }

    /** The broker said no. */
    synchronized void refuse(Request request, String why) {
        if (life == Life.ENDING) {
            return;
        }
        complain(request.entry.id, "was refused: " + why);
    }

    /** A message came over a link; null if it should not have come. */
    synchronized @Nullable Entry delivered(ReceivedMessage message, Place place) {
        Entry entry = find(message);
        if (entry == null) {
            return null;
        }
        State seen = new State(place, (int) message.deliveryCount());
        if (seen.equals(entry.pending)) {
            entry.asked++;
            settle(entry, seen);
        } else if (entry.pending != null || !seen.equals(entry.known)) {
            complain(entry.id, "was delivered as " + seen + ", but is " + entry.known + " or " + entry.pending);
            return null;
        }
        checkBody(entry, message);
        number(entry, message.sequenceNumber());
        return entry;
    }

    synchronized void live(Life now) {
        life = now;
        if (now == Life.GONE) {
            entries.clear();
            numbersSinceRestart.clear();
        }
    }

    synchronized boolean isGone() {
        return life == Life.GONE;
    }

    /** Whether the message was ever seen: delivered or peeked. */
    static boolean wasSeen(Entry entry) {
        return entry.sequenceNumber != 0;
    }

    /** Messages in a place that nothing is asked of, at most so many. */
    synchronized List<Entry> resting(Place place, int max) {
        return entries.values().stream()
                .filter(entry -> entry.pending == null && entry.known.place == place && entry.sequenceNumber > 0)
                .limit(max)
                .toList();
    }

    synchronized int size() {
        return entries.size();
    }

    synchronized int confirmed() {
        return confirmed;
    }

    static long sequenceNumber(Entry entry) {
        return entry.sequenceNumber;
    }

    /**
     * Compares with what a restarted broker shows, and takes that for known from now on.
     *
     * @param main messages of the queue, by peek
     * @param dead messages of its dead-letter queue
     */
    synchronized void compare(List<ReceivedMessage> main, List<ReceivedMessage> dead) {
        Map<Integer, State> seen = new HashMap<>();
        look(main, false, seen);
        look(dead, true, seen);
        for (Entry entry : List.copyOf(entries.values())) {
            State now = seen.getOrDefault(entry.id, State.ABSENT);
            if (!now.equals(entry.known) && !now.equals(entry.pending)) {
                complain(
                        entry.id,
                        "is " + now + " after the restart, but was " + entry.known
                                + (entry.pending == null ? "" : " or " + entry.pending));
            }
            settle(entry, now);
        }
        checkOrder();
        floor = highest;
        numbersSinceRestart.clear();
    }

    private void look(List<ReceivedMessage> messages, boolean dead, Map<Integer, State> seen) {
        for (ReceivedMessage message : messages) {
            Entry entry = find(message);
            if (entry == null) {
                continue;
            }
            Place place = dead
                    ? Place.DEAD
                    : message.state() == 1 ? Place.DEFERRED : message.state() == 2 ? Place.SCHEDULED : Place.ACTIVE;
            if (seen.put(entry.id, new State(place, (int) message.deliveryCount())) != null) {
                complain(entry.id, "is there twice");
            }
            checkBody(entry, message);
            number(entry, message.sequenceNumber());
        }
    }

    private void checkBody(Entry entry, ReceivedMessage message) {
        if (!Arrays.equals(message.data(), body(entry.id / 2))) {
            complain(entry.id, "has another body");
        }
    }

    private @Nullable Entry find(ReceivedMessage message) {
        String text = String.valueOf(message.messageId());
        int id = text.startsWith(PREFIX)
                ? copy(
                        Integer.parseInt(text.substring(PREFIX.length())),
                        message.applicationProperties().containsKey(CHANGED))
                : -1;
        Entry entry = entries.get(id);
        if (entry == null && life != Life.GONE) {
            complain(id, id >= 0 && gone.get(id) ? "came back after it was removed" : "was never sent: " + text);
        }
        return entry;
    }

    /** Numbers stay with their message, are given once, and grow over restarts (STATE-4, SEQ). */
    private void number(Entry entry, long number) {
        if (entry.sequenceNumber != 0) {
            if (entry.sequenceNumber != number) {
                complain(entry.id, "had number " + entry.sequenceNumber + " and has " + number);
            }
            return;
        }
        entry.sequenceNumber = number;
        highest = Math.max(highest, number);
        if (number <= floor) {
            complain(entry.id, "got number " + number + ", but before the restart there was " + floor);
        }
        Integer other = numbersSinceRestart.put(number, entry.id);
        if (other != null && other != entry.id) {
            complain(entry.id, "got number " + number + " as did " + other);
        }
    }

    /** What one link sent first is first. */
    private void checkOrder() {
        Map<Integer, Entry> last = new HashMap<>();
        entries.values().stream()
                .filter(entry -> entry.known.place != Place.SCHEDULED)
                .sorted(Comparator.comparingInt(entry -> entry.id))
                .forEach(entry -> {
                    Entry before = last.put(entry.sender, entry);
                    if (before != null && before.sequenceNumber >= entry.sequenceNumber) {
                        complain(entry.id, "was overtaken by " + before.id);
                    }
                });
    }

    private void settle(Entry entry, State state) {
        entry.known = state;
        entry.pending = null;
        if (state.place == Place.ABSENT) {
            entries.remove(entry.id);
            gone.set(entry.id);
        }
    }

    private void complain(int id, String what) {
        complain("Message " + id / 2 + (id % 2 == 1 ? " (changed) " : " ") + what + ".");
    }
}
