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
 * The messages that a client may expect in a queue or subscription, whatever happens to the broker. Each message has
 * the last state that the broker confirmed and, while a reply is missing, the requested state. After a crash it must be
 * in one of the two (STATE-2), and in no more than one place. A delivery proves a durable change like a reply does.
 * Thread-safe.
 *
 * <p>The id of a message contains its number. A subscription may contain a message twice: as it was sent, and as an
 * action has changed it (RULE-5). {@link #copy} distinguishes the two.
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

    /** The life cycle of the entity. */
    enum Life {
        SERVED,
        /** Its deletion was requested, so it may reject all requests. */
        ENDING,
        /** The entity and its messages are deleted. */
        GONE
    }

    /** The places of a message. */
    enum Place {
        ABSENT,
        ACTIVE,
        DEFERRED,
        SCHEDULED,
        DEAD
    }

    /** The state of a message that must survive a crash. */
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

    /** A request to the broker. */
    record Request(Entry entry, int number) {}

    Ledger(int maxDeliveryCount) {
        this.maxDeliveryCount = maxDeliveryCount;
    }

    /**
     * Returns the id of a copy in this ledger.
     *
     * @param number the number of the message
     * @param changed whether the action of a rule has changed the copy
     */
    static int copy(int number, boolean changed) {
        return 2 * number + (changed ? 1 : 0);
    }

    static String messageId(int number) {
        return PREFIX + number;
    }

    /** Returns the body of a message. */
    static byte[] body(int number) {
        Random random = new Random(number);
        byte[] body = new byte[16 + random.nextInt(3_000)];
        random.nextBytes(body);
        return body;
    }

    /**
     * Records a send of a new message.
     *
     * @return the request
     */
    synchronized Request send(int sender, boolean scheduled) {
        return expect(copy(nextNumber++, false), sender, scheduled ? Place.SCHEDULED : Place.ACTIVE);
    }

    /**
     * Records a message that is being sent here.
     *
     * @param copy its id, larger than the previous one of this sender
     */
    synchronized Request expect(int copy, int sender, Place place) {
        Entry entry = new Entry(copy, sender);
        entries.put(copy, entry);
        return ask(entry, new State(place, 0));
    }

    synchronized Request remove(Entry entry) {
        return ask(entry, State.ABSENT);
    }

    /**
     * Records a request to abandon a message. It counts as a delivery; the last allowed one moves the message (STATE-7,
     * DLQ-20).
     */
    synchronized Request abandon(Entry entry) {
        int count = entry.known.deliveryCount + 1;
        return ask(entry, new State(count >= maxDeliveryCount ? Place.DEAD : Place.ACTIVE, count));
    }

    /** Records a request to defer a message, which counts as a delivery (DEFER-6). */
    synchronized Request defer(Entry entry) {
        return ask(entry, new State(Place.DEFERRED, entry.known.deliveryCount + 1));
    }

    /** Records a request to dead-letter a message, which keeps the delivery count (T-16). */
    synchronized Request deadLetter(Entry entry) {
        return ask(entry, new State(Place.DEAD, entry.known.deliveryCount));
    }

    private Request ask(Entry entry, State wanted) {
        entry.pending = wanted;
        return new Request(entry, ++entry.asked);
    }

    /** Records that the broker has confirmed a request. */
    synchronized void confirm(Request request) {
        Entry entry = request.entry;
        if (entry.asked == request.number && entry.pending != null) {
            confirmed++;
            settle(entry, entry.pending);
        }
    }

    /** Records that the broker has rejected a request. */
    synchronized void refuse(Request request, String why) {
        if (life == Life.ENDING) {
            return;
        }
        complain(request.entry.id, "was rejected: " + why);
    }

    /** Records a delivery. Returns null if the message was not expected. */
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
            complain(
                    entry.id,
                    "was delivered in the state " + seen + ", but was expected in " + entry.known + " or "
                            + entry.pending);
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

    /** Returns whether the message was delivered or peeked. */
    static boolean wasSeen(Entry entry) {
        return entry.sequenceNumber != 0;
    }

    /**
     * Returns messages in a place that have no pending request.
     *
     * @param max the maximum number of messages
     */
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
     * Compares with the messages of a restarted broker, which become the known state.
     *
     * @param main the messages of the queue, by peek
     * @param dead the messages of its dead-letter queue
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
                complain(entry.id, "exists twice");
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
            complain(id, id >= 0 && gone.get(id) ? "exists again after it was removed" : "was never sent: " + text);
        }
        return entry;
    }

    /** Checks that sequence numbers do not change, are unique, and increase over restarts (STATE-4, SEQ). */
    private void number(Entry entry, long number) {
        if (entry.sequenceNumber != 0) {
            if (entry.sequenceNumber != number) {
                complain(entry.id, "had sequence number " + entry.sequenceNumber + ", but now has " + number);
            }
            return;
        }
        entry.sequenceNumber = number;
        highest = Math.max(highest, number);
        if (number <= floor) {
            complain(
                    entry.id, "has sequence number " + number + ", but a message had " + floor + " before the restart");
        }
        Integer other = numbersSinceRestart.put(number, entry.id);
        if (other != null && other != entry.id) {
            complain(entry.id, "has sequence number " + number + " like the message with id " + other);
        }
    }

    /** Checks that messages of one link are stored in the order in which they were sent. */
    private void checkOrder() {
        Map<Integer, Entry> last = new HashMap<>();
        entries.values().stream()
                .filter(entry -> entry.known.place != Place.SCHEDULED)
                .sorted(Comparator.comparingInt(entry -> entry.id))
                .forEach(entry -> {
                    Entry before = last.put(entry.sender, entry);
                    if (before != null && before.sequenceNumber >= entry.sequenceNumber) {
                        complain(
                                entry.id,
                                "is stored before the message with id " + before.id + ", which was sent earlier");
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
