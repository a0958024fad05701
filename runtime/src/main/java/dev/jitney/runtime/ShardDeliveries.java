package dev.jitney.runtime;

import dev.jitney.core.Decision;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.idle.Activity;
import dev.jitney.core.queue.decide.QueueDecider;
import dev.jitney.runtime.rows.StoreRowReader;
import java.util.List;
import java.util.UUID;

/** Hands messages of the entities of a shard to those who wait for them, and on to other entities. For the shard's thread. */
final class ShardDeliveries {
    private static final int DELIVERIES_PER_STEP = 256;
    private static final List<Lane> LANES = List.of(Lane.MAIN, Lane.DEAD_LETTER, Lane.TRANSFER_DEAD_LETTER);

    private final ShardWork shard;
    private final ShardSlots slots;
    private final ShardReceivers receivers;
    private final Agenda agenda;
    private final Forwarder forwarder;
    private final StoreRowReader reader;

    ShardDeliveries(
            ShardWork shard,
            ShardSlots slots,
            ShardReceivers receivers,
            Agenda agenda,
            Forwarder forwarder,
            StoreRowReader reader) {
        this.shard = shard;
        this.slots = slots;
        this.receivers = receivers;
        this.agenda = agenda;
        this.forwarder = forwarder;
        this.reader = reader;
    }

    /** Has an entity take its turn if somebody waits for its messages. */
    void wake(EntitySlot slot) {
        if (!slot.ready && (forwarder.hasWork(slot) || Activity.isAwaited(slot.state))) {
            agenda.deliver(slot);
        }
    }

    private void pause(EntitySlot slot, List<Record> paused) {
        if (!paused.isEmpty()) {
            receivers.beCareful();
            shard.apply(slot, paused, false);
        }
    }

    /** PART-60: messages that are locked for connections that have not asked for them go back if others wait for some. */
    private void recall(EntitySlot slot) {
        UnclaimedLocks unclaimed = slot.entity.unclaimed();
        boolean starved = QueueDecider.isStarved(slot.state);
        unclaimed.setAwaited(starved);
        if (starved) {
            List<UUID> recalled = QueueDecider.wantedElsewhere(slot.state, unclaimed.kept()).stream()
                    .filter(unclaimed::recall)
                    .toList();
            shard.apply(slot, QueueDecider.releaseUnclaimed(slot.state, recalled, shard.situation()), true);
        }
    }

    /** Gives each entity that is ready now its turn; returns whether there was something to do. */
    boolean run() {
        boolean worked = false;
        boolean careful = receivers.isCareful();
        receivers.relax();
        for (int i = agenda.readyCount(); i > 0; i--) {
            EntitySlot slot = agenda.pollReady();
            if (slot == null) {
                break;
            }
            if (!slots.isCurrent(slot)) {
                continue;
            }
            if (careful) {
                pause(slot, receivers.fullOnes(slot.state.waitingReceiverIds()));
            }
            boolean searching = false;
            for (Lane lane : LANES) {
                if (slot.state.isWaitedFor(lane)) {
                    searching |= slot.state.fill(lane, reader);
                }
            }
            if (slot.entity.whole() != null) {
                recall(slot);
            }
            Decision decision = QueueDecider.decideDeliveries(slot.state, shard.situation(), DELIVERIES_PER_STEP);
            shard.apply(slot, decision.records(), false);
            if (!decision.outputs().isEmpty()) {
                shard.touch(slot);
            }
            pause(slot, receivers.tell(slot, decision.outputs()));
            searching |= forwarder.pump(slot);
            forwarder.run();
            if (searching || !decision.outputs().isEmpty()) {
                worked = true;
                wake(slot); // others get their turn first
            }
            agenda.alarms().arm(slot);
        }
        return worked;
    }
}
