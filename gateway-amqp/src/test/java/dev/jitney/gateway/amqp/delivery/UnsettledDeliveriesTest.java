package dev.jitney.gateway.amqp.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.delivery.UnsettledDeliveries.Entry;
import dev.jitney.gateway.amqp.wire.LinkWire;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class UnsettledDeliveriesTest {
    private final UnsettledDeliveries deliveries = new UnsettledDeliveries();
    private final DeliverySource link = new Source();

    /** A link that is only compared with others. */
    private static final class Source implements DeliverySource {
        @Override
        public LinkWire wire() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void countUnsettled(int delta) {}

        @Override
        public boolean mayAnswer() {
            return false;
        }

        @Override
        public boolean isWork() {
            return true;
        }

        @Override
        public void onOutcome(List<Entry> of, ClientOutcome outcome) {}
    }

    private Entry add(int id, DeliverySource of) {
        Entry entry = new Entry(id, of, null, 0);
        deliveries.add(entry);
        return entry;
    }

    private List<Integer> claim(int first, int last) {
        return deliveries.claim(first, last).stream().map(Entry::deliveryId).toList();
    }

    @Test
    @DisplayName("A range claims its deliveries in order, each of them once (AMQP 2.6.12)")
    void claimsInOrderAndOnce() {
        for (int id : new int[] {3, 4, 7, 8, 20}) {
            add(id, link);
        }
        assertThat(claim(4, 8)).containsExactly(4, 7, 8);
        assertThat(claim(5, 6)).isEmpty();
        assertThat(claim(0, 100)).containsExactly(3, 20);
        assertThat(claim(0, 100)).isEmpty();
        assertThat(deliveries.size()).isEqualTo(5);
    }

    @Test
    @DisplayName("Ids and ranges wrap around (AMQP 2.8.10)")
    void idsWrapAround() {
        for (int id = -3; id <= 3; id++) {
            add(id, link);
        }
        assertThat(claim(-1, 1)).containsExactly(-1, 0, 1);
        assertThat(claim(2, -2)).containsExactly(2, 3, -3, -2);
    }

    @Test
    @DisplayName("A delivery whose outcome is taken back can be claimed again (TX-10)")
    void whatIsUnclaimedCanBeClaimedAgain() {
        Entry first = add(1, link);
        add(2, link);
        claim(1, 2);
        deliveries.unclaim(first);
        assertThat(claim(1, 2)).containsExactly(1);
        assertThat(deliveries.remove(first)).isTrue();
        deliveries.unclaim(first);
        assertThat(claim(1, 2)).isEmpty();
        assertThat(deliveries.remove(first)).isFalse();
    }

    @Test
    @DisplayName("A random history has the same effect as on a simple map")
    void behavesLikeASimpleMap() {
        long seed = Long.getLong("jitney.unsettled.seed", System.nanoTime());
        Random random = new Random(seed);
        List<DeliverySource> links = List.of(new Source(), new Source(), new Source());
        Map<Entry, Boolean> expected = new LinkedHashMap<>(); // whether it is claimed
        int id = -5_000;
        for (int step = 0; step < 20_000; step++) {
            int what = random.nextInt(100);
            if (what < 50) {
                id += random.nextInt(20) == 0 ? random.nextInt(1_000) : 1;
                expected.put(add(id++, links.get(random.nextInt(3))), false);
            } else if (what < 75) {
                int first = id - random.nextInt(300);
                int last = first + (random.nextInt(10) == 0 ? random.nextInt() : random.nextInt(20));
                List<Entry> claimed = new ArrayList<>();
                long span = Integer.toUnsignedLong(last - first);
                expected.forEach((entry, isClaimed) -> {
                    if (!isClaimed && Integer.toUnsignedLong(entry.deliveryId() - first) <= span) {
                        claimed.add(entry);
                    }
                });
                claimed.sort((a, b) -> Integer.compareUnsigned(a.deliveryId() - first, b.deliveryId() - first));
                claimed.forEach(entry -> expected.put(entry, true));
                assertThat(deliveries.claim(first, last)).as("seed %s", seed).isEqualTo(claimed);
            } else if (what < 99) {
                Iterator<Map.Entry<Entry, Boolean>> left = expected.entrySet().iterator();
                for (int i = random.nextInt(3); left.hasNext() && i >= 0; i--) {
                    Map.Entry<Entry, Boolean> one = left.next();
                    if (one.getValue() && random.nextInt(4) == 0) {
                        deliveries.unclaim(one.getKey());
                        one.setValue(false);
                    } else {
                        assertThat(deliveries.remove(one.getKey())).isTrue();
                        left.remove();
                    }
                }
            } else {
                DeliverySource gone = links.get(random.nextInt(3));
                int before = expected.size();
                expected.keySet().removeIf(entry -> entry.link() == gone);
                assertThat(deliveries.removeAll(gone)).isEqualTo(before - expected.size());
            }
            assertThat(deliveries.size()).as("seed %s", seed).isEqualTo(expected.size());
        }
    }

    @Test
    @Timeout(20)
    @DisplayName("The cost of a range does not depend on deliveries that it does not claim (QUOTA-8)")
    void rangesThatClaimNothingAreCheap() {
        int count = 50_000;
        for (int id = 0; id < count; id++) {
            add(id, link);
        }
        for (int i = 0; i < 100_000; i++) {
            assertThat(deliveries.claim(count, -1)).isEmpty();
        }
        assertThat(claim(0, count)).hasSize(count);
        for (int i = 0; i < 100_000; i++) {
            assertThat(deliveries.claim(0, count)).isEmpty();
        }
    }
}
