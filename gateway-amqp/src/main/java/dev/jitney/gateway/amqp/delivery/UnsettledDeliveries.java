package dev.jitney.gateway.amqp.delivery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries of one AMQP session that its peer has not settled, by delivery id. Ids are serial numbers; ranges may
 * wrap around and name ids nobody ever used.
 */
public final class UnsettledDeliveries {

    /** One delivery on its way or in the client's hands. */
    public static final class Entry {
        private final int deliveryId;
        private final DeliverySource link;
        private final @Nullable UUID lockToken;
        private boolean settling;

        public Entry(int deliveryId, DeliverySource link, @Nullable UUID lockToken) {
            this.deliveryId = deliveryId;
            this.link = link;
            this.lockToken = lockToken;
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
    }

    private final Map<Integer, Entry> entries = new HashMap<>();

    void add(Entry entry) {
        entries.put(entry.deliveryId, entry);
    }

    /** True if it was there. */
    boolean remove(Entry entry) {
        return entries.remove(entry.deliveryId, entry);
    }

    /**
     * The deliveries of a range that no outcome was given for yet, in order; they count as being settled from now on.
     * Unknown ids are skipped.
     */
    List<Entry> claim(int first, int last) {
        List<Entry> claimed = new ArrayList<>();
        long span = Integer.toUnsignedLong(last - first);
        if (span <= 2L * entries.size()) {
            for (long i = 0; i <= span; i++) {
                claim(entries.get((int) (first + i)), claimed);
            }
        } else {
            for (Entry entry : entries.values()) {
                if (Integer.toUnsignedLong(entry.deliveryId - first) <= span) {
                    claim(entry, claimed);
                }
            }
            claimed.sort((a, b) -> Integer.compareUnsigned(a.deliveryId - first, b.deliveryId - first));
        }
        return claimed;
    }

    private static void claim(@Nullable Entry entry, List<Entry> into) {
        if (entry != null && !entry.settling) {
            entry.settling = true;
            into.add(entry);
        }
    }

    /** Gives a claimed delivery back: the outcome asked for nothing. */
    public static void unclaim(Entry entry) {
        entry.settling = false;
    }

    /** Forgets the deliveries of a link and says how many there were. */
    int removeAll(DeliverySource link) {
        int before = entries.size();
        entries.values().removeIf(entry -> entry.link == link);
        return before - entries.size();
    }

    int size() {
        return entries.size();
    }
}
