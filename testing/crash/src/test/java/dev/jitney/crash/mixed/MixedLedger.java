package dev.jitney.crash.mixed;

import dev.jitney.crash.support.CrashLedger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the clients of one queue or subscription may expect, whose SDK tries again by itself. Thread-safe.
 *
 * <p>A message may be there as often as its send was tried: once, and once more for each kill that the call overlapped; at
 * least once if the call returned. A copy is known by its sequence number, which stays with it until it is gone (SEQ-4). For
 * each copy the ledger knows the places it may be in: one after an answer, two while an answer is out or if it never came. A
 * delivery shows the place, too. What is certainly gone, and was expected once, is remembered as one bit.
 */
final class MixedLedger extends CrashLedger {

    private final String name;
    private final @Nullable MixedLedger tomb;
    private final Map<Integer, Entry> entries = new HashMap<>();
    private final BitSet closed = new BitSet();
    private final TreeMap<Long, Arrival> order = new TreeMap<>();
    private long delivered;

    /** Where a copy is. */
    enum Place {
        ACTIVE,
        DEFERRED,
        DEAD,
        GONE
    }

    /**
     * A message as it was delivered.
     *
     * @param call the number of the first message of the call that sent it, if what is sent later comes later here; else -1
     * @param reason why it is dead, or null
     */
    record Arrival(
            int number,
            long sequenceNumber,
            int call,
            @Nullable String reason) {}

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
        private Set<Place> places = EnumSet.of(Place.ACTIVE);
        private @Nullable Delivery last;

        private Copy(long sequenceNumber) {
            this.sequenceNumber = sequenceNumber;
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
    }

    /** @param tomb where dead-lettered messages are forwarded to; null if they stay */
    MixedLedger(String name, @Nullable MixedLedger tomb) {
        this.name = name;
        this.tomb = tomb;
    }

    String name() {
        return name;
    }

    /** A message is being sent here; so far there may be any number of copies. */
    synchronized void sending(int number) {
        Entry entry = new Entry(number);
        entry.underWay = true;
        entry.max = Integer.MAX_VALUE;
        entries.put(number, entry);
    }

    /** The call that sent it has ended. */
    synchronized void sent(int number, int copiesMin, int copiesMax) {
        Entry entry = entries.get(number);
        entry.underWay = false;
        entry.min = copiesMin;
        entry.max = copiesMax;
        checkCount(entry);
        close(entry);
    }

    /** One copy of what was sent may not come: its schedule is being cancelled. */
    synchronized void cancelling(int number) {
        Entry entry = entries.get(number);
        if (entry != null) {
            entry.min = 0;
        }
    }

    /** It will not come: it was cancelled before its time. */
    synchronized void cancelled(int number) {
        Entry entry = entries.get(number);
        if (entry != null) {
            entry.max--;
            checkCount(entry);
        } else {
            complain(number, "was cancelled before its time, but came");
        }
    }

    /** A dead-lettered copy of it may come here. */
    private synchronized void mayCome(int number) {
        Entry entry = entries.computeIfAbsent(number, Entry::new);
        entry.fromElsewhere = true;
        entry.max++;
    }

    /** It may not after all: it is still where it was. */
    private synchronized void doesNotCome(int number) {
        Entry entry = entries.get(number);
        entry.max--;
        checkCount(entry);
    }

    /** It must. */
    private synchronized void comes(int number) {
        entries.get(number).min++;
    }

    /** Takes down a delivery; null if it should not have come. */
    synchronized @Nullable Delivery delivered(Place place, Arrival arrival) {
        delivered++;
        Entry entry = entries.get(arrival.number);
        if (entry == null) {
            complain(
                    arrival.number,
                    (arrival.number >= 0 && closed.get(arrival.number)
                                    ? "came back, or twice, after its completion was confirmed, with number "
                                    : "was never sent, and came with number ")
                            + arrival.sequenceNumber);
            return null;
        }
        Copy copy = copy(entry, arrival);
        if (!copy.places.contains(place) && !isDeadOfFailures(copy, place, arrival)) {
            complain(
                    entry.number,
                    "came from " + place + " with number " + arrival.sequenceNumber + ", but is " + copy.places);
        }
        if (tomb != null && copy.places.contains(Place.DEAD)) {
            tomb.doesNotCome(entry.number);
        }
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
                complain(entry.number, "has number " + arrival.sequenceNumber + " as has " + other);
            }
        }
        return copy;
    }

    /** STATE-7: deliveries that fail too often end in the dead-letter queue. */
    private static boolean isDeadOfFailures(Copy copy, Place place, Arrival arrival) {
        return place == Place.DEAD
                && copy.places.contains(Place.ACTIVE)
                && "MaxDeliveryCountExceeded".equals(arrival.reason);
    }

    private void checkCount(Entry entry) {
        if (entry.copies.size() > entry.max) {
            complain(
                    entry.number,
                    "is there " + entry.copies.size() + " times, as "
                            + entry.copies.stream()
                                    .map(copy -> copy.sequenceNumber)
                                    .toList()
                            + ", but " + entry.max + " was the most");
        }
    }

    /** A settlement is asked for that takes the copy to a place; abandoning takes it nowhere. */
    synchronized void ask(Delivery delivery, Place place) {
        delivery.asked = EnumSet.of(place);
        if (delivery.copy.last != delivery) {
            return; // it was delivered again meanwhile, so this lock is lost
        }
        delivery.copy.places.add(place);
        if (tomb != null && place == Place.DEAD) {
            tomb.mayCome(delivery.entry.number);
        }
    }

    /** The settlement is done. */
    synchronized void confirm(Delivery delivery) {
        Copy copy = delivery.copy;
        if (delivery.asked.contains(Place.ACTIVE)) {
            return; // and can have come again, or be dead, before this was heard
        }
        if (copy.last != delivery) {
            if (!delivery.asked.contains(Place.DEAD) && !delivery.asked.contains(Place.DEFERRED)) {
                complain(delivery.entry.number, "was delivered again, and both deliveries were settled");
            }
            return;
        }
        copy.places = EnumSet.copyOf(delivery.asked);
        if (tomb != null && copy.places.contains(Place.DEAD)) {
            copy.places = EnumSet.of(Place.GONE);
            tomb.comes(delivery.entry.number);
        }
        close(delivery.entry);
    }

    /** Forgets all but a bit of what can only come wrongly from now on. */
    private void close(Entry entry) {
        if (!entry.underWay
                && !entry.fromElsewhere
                && entry.min == 1
                && entry.max == 1
                && !entry.copies.isEmpty()
                && entry.copies.get(0).isGone()) {
            entries.remove(entry.number);
            closed.set(entry.number);
        }
    }

    /** Sequence numbers of what is or may be deferred. */
    synchronized List<Long> deferred() {
        return entries.values().stream()
                .flatMap(entry -> entry.copies.stream())
                .filter(copy -> copy.places.contains(Place.DEFERRED))
                .map(copy -> copy.sequenceNumber)
                .toList();
    }

    /** How many copies of a message have come since the books were closed last. */
    synchronized int copies(int number) {
        Entry entry = entries.get(number);
        return entry != null ? entry.copies.size() : closed.get(number) ? 1 : 0;
    }

    /** Messages that are, or may be, on their way. */
    synchronized int size() {
        return entries.size();
    }

    synchronized long delivered() {
        return delivered;
    }

    /**
     * Everything has been taken out and nothing is being sent: whatever was to come must have come. Where dead letters are
     * forwarded to comes after where they come from.
     */
    synchronized void closeBooks() {
        checkOrder();
        for (Entry entry : entries.values()) {
            if (entry.copies.size() < entry.min) {
                complain(
                        entry.number,
                        "is lost: it should have come " + entry.min + " times, and came " + entry.copies.size());
            }
            for (Copy copy : entry.copies) {
                boolean isBuried = tomb != null && copy.places.contains(Place.DEAD);
                if (isBuried) {
                    tomb.comes(entry.number);
                }
                if (!isBuried && !copy.places.contains(Place.GONE)) {
                    complain(entry.number, "is lost with number " + copy.sequenceNumber + "; it was " + copy.places);
                }
            }
            closed.set(entry.number);
        }
        entries.clear();
    }

    /** SEQ-7, FWD-8: what one sender sent first has the smaller number, but for what a call sent again. */
    private void checkOrder() {
        Arrival before = null;
        for (Arrival arrival : order.values()) {
            if (before != null
                    && (arrival.call < before.call
                            || arrival.call == before.call
                                    && arrival.number <= before.number
                                    && closed.get(arrival.number))) {
                complain(arrival.number, "is out of order: " + arrival + " comes after " + before);
            }
            before = arrival;
        }
        order.clear();
    }

    /** Something else that must not be. */
    synchronized void complain(int number, String what) {
        complain("Message " + number + " in " + name + " " + what + ".");
    }
}
