package dev.jitney.gateway.amqp.delivery;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The unsettled deliveries of one AMQP session, in the order of their delivery ids. Ids are serial numbers; ranges may
 * wrap around and may include ids that were never used.
 *
 * <p>A client may send a range as often as it likes. So the cost of a range must not depend on the deliveries that
 * exist, but on those that it claims.
 */
public final class UnsettledDeliveries {
    /** The number of delivery ids. */
    private static final long IDS = 1L << Integer.SIZE;

    private static final int CAPACITY_MIN = 64;

    /** The factor by which the arrays may be larger than needed. */
    private static final int SPARE_MAX = 8;

    /** The slot of a delivery that was removed. */
    private static final int NONE = -1;

    /** One delivery that is in transit or held by the client. */
    public static final class Entry {
        private final int deliveryId;
        private final DeliverySource link;
        private final @Nullable UUID lockToken;
        private final int sizeBytes;
        private int slot = NONE;

        /** @param sizeBytes size of the message's content */
        public Entry(int deliveryId, DeliverySource link, @Nullable UUID lockToken, int sizeBytes) {
            this.deliveryId = deliveryId;
            this.link = link;
            this.lockToken = lockToken;
            this.sizeBytes = sizeBytes;
        }

        public int deliveryId() {
            return deliveryId;
        }

        public DeliverySource link() {
            return link;
        }

        public @Nullable UUID lockToken() {
            return lockToken;
        }

        /** Returns the size of the message's content in bytes. */
        public int sizeBytes() {
            return sizeBytes;
        }
    }

    /*
     * Deliveries are added in the order of their ids, mostly settled in that order, and seldom many at a time. So they
     * are in an array, in slots from head to tail, and a removed delivery leaves an empty slot until the array is full.
     * A bit per slot marks the deliveries that can be claimed: an empty range costs a step for each 64 slots.
     */
    private @Nullable Entry[] entries = new @Nullable Entry[CAPACITY_MIN];

    /** The delivery id of each slot, counted on beyond 32 bits, so that the numbers ascend. */
    private long[] numbers = new long[CAPACITY_MIN];

    private final BitSet unclaimed = new BitSet();
    private int head;
    private int tail;
    private int size;
    private long newest = -1;

    /** Adds a delivery, whose id follows those of all deliveries before. */
    void add(Entry entry) {
        if (tail == entries.length) {
            compact();
        }
        newest += 1 + Integer.toUnsignedLong(entry.deliveryId - (int) newest - 1);
        entries[tail] = entry;
        numbers[tail] = newest;
        unclaimed.set(tail);
        entry.slot = tail;
        tail++;
        size++;
    }

    /** Moves the deliveries to the beginning of arrays that are twice as large as needed. */
    private void compact() {
        @Nullable Entry[] from = entries;
        long[] known = numbers;
        int wanted = Math.max(CAPACITY_MIN, 2 * size);
        if (wanted > from.length || wanted < from.length / SPARE_MAX) {
            entries = new @Nullable Entry[wanted];
            numbers = new long[wanted];
        }
        int to = 0;
        for (int slot = head; slot < tail; slot++) {
            Entry entry = from[slot];
            if (entry != null) {
                boolean free = unclaimed.get(slot);
                unclaimed.clear(slot);
                unclaimed.set(to, free);
                entries[to] = entry;
                numbers[to] = known[slot];
                entry.slot = to;
                to++;
            }
        }
        if (entries == from) {
            Arrays.fill(entries, to, tail, null);
        }
        head = 0;
        tail = to;
    }

    /** Removes a delivery; returns whether it was present. */
    boolean remove(Entry entry) {
        int slot = entry.slot;
        if (slot == NONE) {
            return false;
        }
        entry.slot = NONE;
        entries[slot] = null;
        unclaimed.clear(slot);
        size--;
        if (size == 0) {
            head = 0;
            tail = 0;
        } else {
            while (entries[head] == null) {
                head++;
            }
        }
        return true;
    }

    /**
     * Claims the deliveries of a range that have no outcome yet, in order; from now on they are being settled. Skips
     * unknown ids.
     */
    List<Entry> claim(int first, int last) {
        if (size == 0) {
            return List.of();
        }
        List<Entry> claimed = new ArrayList<>();
        long span = Integer.toUnsignedLong(last - first);
        long from = newest - Integer.toUnsignedLong((int) newest - first);
        claim(from, from + span, claimed);
        claim(from - IDS, from - IDS + span, claimed); // a range that begins far ahead comes around to older deliveries
        return claimed;
    }

    private void claim(long from, long to, List<Entry> into) {
        if (to < numbers[head]) {
            return;
        }
        int slot = unclaimed.nextSetBit(slotOf(from));
        while (slot >= 0 && numbers[slot] <= to) {
            Entry entry = entries[slot];
            if (entry != null) {
                into.add(entry);
            }
            unclaimed.clear(slot);
            slot = unclaimed.nextSetBit(slot + 1);
        }
    }

    /** Returns the first slot whose number is not smaller. */
    private int slotOf(long number) {
        if (number <= numbers[head]) {
            return head;
        }
        int found = Arrays.binarySearch(numbers, head, tail, number);
        return found < 0 ? -found - 1 : found;
    }

    /** Releases a claimed delivery, so that it can be claimed again. */
    void unclaim(Entry entry) {
        if (entry.slot != NONE) {
            unclaimed.set(entry.slot);
        }
    }

    /** Drops the deliveries of a link and returns their number. */
    int removeAll(DeliverySource link) {
        int before = size;
        int end = tail;
        for (int slot = head; slot < end && size > 0; slot++) {
            Entry entry = entries[slot];
            if (entry != null && entry.link == link) {
                remove(entry);
            }
        }
        return before - size;
    }

    int size() {
        return size;
    }
}
