package dev.jitney.gateway.amqp.delivery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The unsettled deliveries of one AMQP session, by delivery id. Ids are serial numbers; ranges may wrap around and may
 * include ids that were never used.
 */
public final class UnsettledDeliveries {

    /** One delivery that is in transit or held by the client. */
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

    /** Removes a delivery; returns whether it was present. */
    boolean remove(Entry entry) {
        return entries.remove(entry.deliveryId, entry);
    }

    /**
     * Claims the deliveries of a range that have no outcome yet, in order; from now on they are being settled. Skips
     * unknown ids.
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

    /** Releases a claimed delivery whose outcome requested nothing. */
    public static void unclaim(Entry entry) {
        entry.settling = false;
    }

    /** Drops the deliveries of a link and returns their number. */
    int removeAll(DeliverySource link) {
        int before = entries.size();
        entries.values().removeIf(entry -> entry.link == link);
        return before - entries.size();
    }

    int size() {
        return entries.size();
    }
}
