package dev.jitney.gateway.amqp.delivery;

import dev.jitney.gateway.amqp.wire.FrameWriter;
import dev.jitney.gateway.amqp.wire.SessionWire;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Role;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries that a connection has sent and its peer has not settled, and the answers to their outcomes.
 *
 * <p>Some clients never settle the answers to their requests (wire reference 2.1). So answers do not count towards the
 * limit, and the oldest are dropped: nothing but an answer to their disposition depends on them.
 */
public final class DeliveryLedger {
    /** The limit of answers to requests that are kept until the client settles them. */
    static final int ANSWERS_MAX = 1_000;

    private final Map<SessionWire, UnsettledDeliveries> bySession = new IdentityHashMap<>();
    private final FrameWriter frames;
    private final int countMax;
    private final Runnable onRoom;
    private int count;

    /** The answers to requests among the deliveries, the oldest first. */
    private final Set<UnsettledDeliveries.Entry> answers = new LinkedHashSet<>();

    /**
     * @param countMax limit of unsettled deliveries, without answers to requests
     * @param onRoom called when the count falls below the limit again, so that links can continue; possibly while links
     *               are being removed
     */
    public DeliveryLedger(FrameWriter frames, int countMax, Runnable onRoom) {
        this.frames = frames;
        this.countMax = countMax;
        this.onRoom = onRoom;
    }

    /** Returns whether the number of unsettled messages is below the limit. */
    public boolean mayTrackMore() {
        return count - answers.size() < countMax;
    }

    /** Returns the number of unsettled deliveries. */
    public int count() {
        return count;
    }

    public void track(UnsettledDeliveries.Entry delivery) {
        bySession
                .computeIfAbsent(delivery.link().wire().session(), session -> new UnsettledDeliveries())
                .add(delivery);
        delivery.link().countUnsettled(1);
        count++;
        if (!delivery.link().isWork()) {
            answers.add(delivery);
            if (answers.size() > ANSWERS_MAX) {
                remove(answers.iterator().next());
            }
        }
    }

    /** Drops the deliveries of a link that has gone; their outcomes can no longer be answered. */
    public void untrack(DeliverySource link) {
        boolean full = !mayTrackMore();
        UnsettledDeliveries of = bySession.get(link.wire().session());
        if (of != null) {
            count -= of.removeAll(link);
        }
        if (!link.isWork()) {
            answers.removeIf(answer -> answer.link() == link);
        }
        useRoom(full);
    }

    public void end(SessionWire session) {
        boolean full = !mayTrackMore();
        UnsettledDeliveries left = bySession.remove(session);
        if (left != null) {
            count -= left.size();
            answers.removeIf(answer -> answer.link().wire().session() == session);
        }
        useRoom(full);
    }

    /** Lets links continue that waited for the limit. */
    private void useRoom(boolean wasFull) {
        if (wasFull && mayTrackMore()) {
            onRoom.run();
        }
    }

    public void clear() {
        bySession.clear();
        answers.clear();
        count = 0;
    }

    /** Drops deliveries that the client has settled. Links that waited for the limit continue. */
    public void forget(List<UnsettledDeliveries.Entry> deliveries) {
        boolean full = !mayTrackMore();
        for (UnsettledDeliveries.Entry delivery : deliveries) {
            remove(delivery);
        }
        useRoom(full);
    }

    /** Releases deliveries whose outcome has settled nothing, or may be taken back. The client may send another one. */
    public void unclaim(List<UnsettledDeliveries.Entry> deliveries) {
        for (UnsettledDeliveries.Entry delivery : deliveries) {
            UnsettledDeliveries of = bySession.get(delivery.link().wire().session());
            if (of != null) {
                of.unclaim(delivery);
            }
        }
    }

    private boolean remove(UnsettledDeliveries.Entry delivery) {
        UnsettledDeliveries of = bySession.get(delivery.link().wire().session());
        boolean removed = of != null && of.remove(delivery);
        if (removed) {
            delivery.link().countUnsettled(-1);
            count--;
            if (!delivery.link().isWork()) {
                answers.remove(delivery);
            }
        }
        return removed;
    }

    /**
     * Settles deliveries with the answer to the peer's outcome (wire reference 5.2), except for those already settled.
     * The answer leaves with the next flush.
     */
    public void settle(List<UnsettledDeliveries.Entry> deliveries, DeliveryState state) {
        boolean full = !mayTrackMore();
        for (UnsettledDeliveries.Entry delivery : deliveries) {
            if (remove(delivery) && delivery.link().mayAnswer()) {
                frames.settle(delivery.link().wire().session(), Role.SENDER, delivery.deliveryId(), state);
            }
        }
        useRoom(full);
    }

    /** Passes an outcome to the links of its deliveries, all deliveries of a link together. Ignores unknown ids. */
    public void outcome(SessionWire session, int first, int last, @Nullable DeliveryState state, boolean settled) {
        UnsettledDeliveries known = bySession.get(session);
        if (known == null) {
            return;
        }
        ClientOutcome outcome = ClientOutcome.of(state, settled);
        if (outcome.isEmpty()) {
            return;
        }
        List<UnsettledDeliveries.Entry> claimed = known.claim(first, last);
        for (List<UnsettledDeliveries.Entry> ofLink : byLink(claimed)) {
            DeliverySource link = ofLink.get(0).link();
            link.wire().touch();
            link.onOutcome(ofLink, outcome);
        }
    }

    private static Collection<List<UnsettledDeliveries.Entry>> byLink(List<UnsettledDeliveries.Entry> deliveries) {
        if (deliveries.isEmpty()) {
            return List.of();
        }
        DeliverySource first = deliveries.get(0).link();
        int same = 1;
        while (same < deliveries.size() && deliveries.get(same).link() == first) {
            same++;
        }
        if (same == deliveries.size()) {
            return List.of(deliveries);
        }
        Map<DeliverySource, List<UnsettledDeliveries.Entry>> byLink = new LinkedHashMap<>();
        for (UnsettledDeliveries.Entry delivery : deliveries) {
            byLink.computeIfAbsent(delivery.link(), link -> new ArrayList<>()).add(delivery);
        }
        return byLink.values();
    }
}
