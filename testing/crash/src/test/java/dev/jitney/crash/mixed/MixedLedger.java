package dev.jitney.crash.mixed;

import dev.jitney.crash.support.CrashLedger;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The messages that clients of one queue or subscription may expect when their SDK retries. Thread-safe.
 *
 * <p>A message may be stored as often as its send was tried: once, and once more for each kill that overlaps the call.
 * It is stored at least once if the call returned. Each copy has its own sequence number, which it keeps (SEQ-4). The
 * ledger knows the possible places of each copy: one after a reply, and two while a reply is missing. A delivery also
 * shows the place. A message that was expected once and is certainly gone is kept as one number.
 */
final class MixedLedger extends CrashLedger {

    private static final long UNKNOWN = -1;
    private static final int HISTORY_MAX = 12;

    private final String name;
    private final @Nullable MixedLedger tomb;
    private final boolean isRelayed;
    private final Map<Integer, Entry> entries = new HashMap<>();
    /** By message, the sequence number of the only copy, or {@link #UNKNOWN}. */
    private final Map<Integer, Long> closed = new HashMap<>();

    private final TreeMap<Long, Arrival> order = new TreeMap<>();
    private long delivered;

    /** The places of a copy. */
    enum Place {
        ACTIVE,
        DEFERRED,
        DEAD,
        GONE
    }

    /**
     * A message as it was delivered.
     *
     * @param call the number of the first message in its send call, if later messages are stored later here; otherwise
     *     -1
     * @param reason the dead-letter reason, or null
     * @param locked the time of its lock, or null if that is not known
     */
    record Arrival(
            int number,
            long sequenceNumber,
            int call,
            @Nullable String reason,
            @Nullable Instant locked) {}

    /** One delivery of one copy. Its fields belong to the ledger. */
    static final class Delivery {
        private final Entry entry;
        private final Copy copy;
        private Set<Place> asked = EnumSet.noneOf(Place.class);

        private Delivery(Entry entry, Copy copy) {
            this.entry = entry;
            this.copy = copy;
        }
    }

    private static final class Copy {
        private final long sequenceNumber;
        private final Deque<String> history = new ArrayDeque<>();
        private Set<Place> places = EnumSet.of(Place.ACTIVE);
        private @Nullable Delivery last;

        private Copy(long sequenceNumber) {
            this.sequenceNumber = sequenceNumber;
        }

        /** Notes an event for the text of a violation. */
        private void note(String event) {
            if (history.size() == HISTORY_MAX) {
                history.removeFirst();
            }
            history.addLast(Instant.now() + " " + event);
        }

        private boolean isGone() {
            return places.equals(EnumSet.of(Place.GONE));
        }
    }

    private static final class Entry {
        private final int number;
        private final List<Copy> copies = new ArrayList<>(1);
        private boolean underWay;
        private boolean fromElsewhere;
        private int min;
        private int max;

        private Entry(int number) {
            this.number = number;
        }

        private boolean isStored() {
            return underWay
                    || copies.size() < min
                    || copies.stream().anyMatch(copy -> !copy.places.contains(Place.GONE));
        }
    }

    /** @param tomb the ledger of the queue to which dead-letter messages are forwarded; null if they are not forwarded */
    MixedLedger(String name, @Nullable MixedLedger tomb) {
        this(name, tomb, false);
    }

    /**
     * @param tomb the ledger of the queue to which dead-letter messages are forwarded; null if they are not forwarded
     * @param isRelayed whether a frozen node may pass a send on long after its client has repeated it over another connection
     */
    MixedLedger(String name, @Nullable MixedLedger tomb, boolean isRelayed) {
        this.name = name;
        this.tomb = tomb;
        this.isRelayed = isRelayed;
    }

    String name() {
        return name;
    }

    /** Records that a message is being sent here. Until the call ends, any number of copies is allowed. */
    synchronized void sending(int number) {
        Entry entry = new Entry(number);
        entry.underWay = true;
        entry.max = Integer.MAX_VALUE;
        entries.put(number, entry);
    }

    /** Records that the send call has ended. */
    synchronized void sent(int number, int copiesMin, int copiesMax) {
        Entry entry = entries.get(number);
        entry.underWay = false;
        entry.min = copiesMin;
        entry.max = copiesMax;
        checkCount(entry);
        close(entry);
    }

    /** Records that the schedule of a message is being canceled, so that one copy may not arrive. */
    synchronized void cancelling(int number) {
        Entry entry = entries.get(number);
        if (entry != null) {
            entry.min = 0;
        }
    }

    /** Records that a message was canceled before its time, so that it must not arrive. */
    synchronized void cancelled(int number) {
        Entry entry = entries.get(number);
        if (entry != null) {
            entry.max--;
            checkCount(entry);
        } else {
            complain(number, "was canceled before its time, but was delivered");
        }
    }

    /** Records that a dead-lettered copy of a message may arrive here. */
    private synchronized void mayCome(int number) {
        Entry entry = entries.computeIfAbsent(number, Entry::new);
        entry.fromElsewhere = true;
        entry.max++;
    }

    /** Records that the dead-lettered copy is still at its source. */
    private synchronized void doesNotCome(int number) {
        Entry entry = entries.get(number);
        entry.max--;
        checkCount(entry);
    }

    /** Records that the dead-lettered copy must arrive here. */
    private synchronized void comes(int number) {
        entries.get(number).min++;
    }

    /** Records a delivery. Returns null if the message was not expected. */
    synchronized @Nullable Delivery delivered(Place place, Arrival arrival) {
        delivered++;
        Entry entry = entries.get(arrival.number);
        if (entry == null) {
            complain(
                    arrival.number,
                    (closed.containsKey(arrival.number)
                                    ? "was delivered again after the completion of its copy with sequence number "
                                            + closed.get(arrival.number) + " was confirmed, with sequence number "
                                    : "was never sent, but was delivered with sequence number ")
                            + arrival.sequenceNumber);
            return null;
        }
        Copy copy = copy(entry, arrival);
        if (!copy.places.contains(place) && !isDeadOfFailures(copy, place, arrival)) {
            complain(
                    entry.number,
                    "was expected in " + copy.places + ", but was delivered from " + place + " with sequence number "
                            + arrival.sequenceNumber + " and a lock of " + arrival.locked + " after " + copy.history);
        }
        if (tomb != null && copy.places.contains(Place.DEAD)) {
            tomb.doesNotCome(entry.number);
        }
        copy.note("delivered from " + place + " with a lock of " + arrival.locked);
        copy.places = EnumSet.of(place);
        copy.last = new Delivery(entry, copy);
        return copy.last;
    }

    private Copy copy(Entry entry, Arrival arrival) {
        for (Copy copy : entry.copies) {
            if (copy.sequenceNumber == arrival.sequenceNumber) {
                return copy;
            }
        }
        Copy copy = new Copy(arrival.sequenceNumber);
        entry.copies.add(copy);
        checkCount(entry);
        if (arrival.call >= 0) {
            Arrival other = order.put(arrival.sequenceNumber, arrival);
            if (other != null) {
                complain(
                        entry.number,
                        "has sequence number " + arrival.sequenceNumber + ", which " + other + " has too");
            }
        }
        return copy;
    }

    /** Returns whether a copy was dead-lettered after too many failed deliveries (STATE-7). */
    private static boolean isDeadOfFailures(Copy copy, Place place, Arrival arrival) {
        return place == Place.DEAD
                && copy.places.contains(Place.ACTIVE)
                && "MaxDeliveryCountExceeded".equals(arrival.reason);
    }

    private void checkCount(Entry entry) {
        if (entry.copies.size() > entry.max) {
            complain(
                    entry.number,
                    "exists " + entry.copies.size() + " times, with sequence numbers "
                            + entry.copies.stream()
                                    .map(copy -> copy.sequenceNumber)
                                    .toList()
                            + ", but the maximum is " + entry.max);
        }
    }

    /** Records a request for a settlement that moves the copy to a place. Abandoned messages remain active. */
    synchronized void ask(Delivery delivery, Place place) {
        delivery.asked = EnumSet.of(place);
        if (delivery.copy.last != delivery) {
            return; // the lock is lost, because the message was delivered again
        }
        delivery.copy.note("settled to " + place);
        delivery.copy.places.add(place);
        if (tomb != null && place == Place.DEAD) {
            tomb.mayCome(delivery.entry.number);
        }
    }

    /** Records that a settlement was confirmed. */
    synchronized void confirm(Delivery delivery) {
        Copy copy = delivery.copy;
        if (delivery.asked.contains(Place.ACTIVE)) {
            return; // the message may have been delivered again or dead-lettered before the reply
        }
        if (copy.last != delivery) {
            if (!delivery.asked.contains(Place.DEAD) && !delivery.asked.contains(Place.DEFERRED)) {
                complain(delivery.entry.number, "was delivered again, and both deliveries were settled");
            }
            return;
        }
        copy.note("settlement confirmed");
        copy.places = EnumSet.copyOf(delivery.asked);
        if (tomb != null && copy.places.contains(Place.DEAD)) {
            copy.places = EnumSet.of(Place.GONE);
            tomb.comes(delivery.entry.number);
        }
        close(delivery.entry);
    }

    /** Reduces the entry to one number if no further delivery is allowed. */
    private void close(Entry entry) {
        if (!entry.underWay
                && !entry.fromElsewhere
                && entry.min == 1
                && entry.max == 1
                && !entry.copies.isEmpty()
                && entry.copies.get(0).isGone()) {
            entries.remove(entry.number);
            closed.put(entry.number, entry.copies.get(0).sequenceNumber);
        }
    }

    /** Returns the sequence numbers of messages that are or may be deferred. */
    synchronized List<Long> deferred() {
        return entries.values().stream()
                .flatMap(entry -> entry.copies.stream())
                .filter(copy -> copy.places.contains(Place.DEFERRED))
                .map(copy -> copy.sequenceNumber)
                .toList();
    }

    /** Returns the number of copies of a message that have arrived since the last comparison. */
    synchronized int copies(int number) {
        Entry entry = entries.get(number);
        return entry != null ? entry.copies.size() : closed.containsKey(number) ? 1 : 0;
    }

    /**
     * Returns the number of messages that are stored, as far as that is known. A message that was refused may still arrive, but
     * does not count, or senders would stop after many refusals.
     */
    synchronized int size() {
        return (int) entries.values().stream().filter(Entry::isStored).count();
    }

    synchronized long delivered() {
        return delivered;
    }

    /**
     * Checks, after all messages were received and no sends are in progress, that all expected messages have arrived.
     * The ledger of dead-letter messages is compared after the ledger of their source.
     */
    synchronized void closeBooks() {
        checkOrder();
        for (Entry entry : entries.values()) {
            if (entry.copies.size() < entry.min) {
                complain(entry.number, "is lost: expected " + entry.min + " copies, but got " + entry.copies.size());
            }
            for (Copy copy : entry.copies) {
                boolean isBuried = tomb != null && copy.places.contains(Place.DEAD);
                if (isBuried) {
                    tomb.comes(entry.number);
                }
                if (!isBuried && !copy.places.contains(Place.GONE)) {
                    complain(
                            entry.number,
                            "is lost: its copy with sequence number " + copy.sequenceNumber + " was in " + copy.places);
                }
            }
            closed.put(entry.number, UNKNOWN);
        }
        entries.clear();
    }

    /** Checks that messages of one sender have increasing sequence numbers, unless a call was retried (SEQ-7, FWD-8). */
    private void checkOrder() {
        Arrival before = null;
        for (Arrival arrival : order.values()) {
            if (before != null && arrival.call < before.call && isRelayed && !closed.containsKey(arrival.number)) {
                continue; // a frozen node has passed a call on that was repeated
            }
            if (before != null
                    && (arrival.call < before.call
                            || arrival.call == before.call
                                    && arrival.number <= before.number
                                    && closed.containsKey(arrival.number))) {
                complain(arrival.number, "is out of order: " + arrival + " follows " + before);
            }
            before = arrival;
        }
        order.clear();
    }

    /** Records another violation. */
    synchronized void complain(int number, String what) {
        complain("Message " + number + " in " + name + " " + what + ".");
    }
}
