package dev.jitney.runtime;

import dev.jitney.core.Decision;
import dev.jitney.core.Lane;
import dev.jitney.core.idle.Activity;
import dev.jitney.core.queue.QueueDecider;
import dev.jitney.runtime.rows.StoreRowReader;
import java.util.List;

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

    /** Gives each entity that is ready now its turn; returns whether there was something to do. */
    boolean run() {
        boolean worked = false;
        for (int i = agenda.readyCount(); i > 0; i--) {
            EntitySlot slot = agenda.pollReady();
            if (slot == null) {
                break;
            }
            if (!slots.isCurrent(slot)) {
                continue;
            }
            boolean searching = false;
            for (Lane lane : LANES) {
                if (slot.state.isWaitedFor(lane)) {
                    searching |= slot.state.fill(lane, reader);
                }
            }
            Decision decision = QueueDecider.decideDeliveries(slot.state, shard.situation(), DELIVERIES_PER_STEP);
            shard.apply(slot, decision.records(), false);
            if (!decision.outputs().isEmpty()) {
                shard.touch(slot);
            }
            receivers.tell(slot, decision.outputs());
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
