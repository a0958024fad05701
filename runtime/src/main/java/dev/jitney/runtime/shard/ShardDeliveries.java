package dev.jitney.runtime.shard;

import dev.jitney.core.Decision;
import dev.jitney.core.Lane;
import dev.jitney.core.Output;
import dev.jitney.core.Record;
import dev.jitney.core.queue.decide.QueueDecider;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import dev.jitney.runtime.shard.entity.EntitiesInShard;
import dev.jitney.runtime.shard.entity.EntityInShard;
import dev.jitney.runtime.shard.entity.RecordApplier;
import dev.jitney.runtime.shard.entity.ShardContext;
import dev.jitney.runtime.shard.entity.ShardScheduler;
import dev.jitney.runtime.shard.entity.UnclaimedLocks;
import dev.jitney.runtime.shard.forward.Forwarder;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the messages of a shard's entities to waiting receivers and forwards them to other entities. For the shard's
 * thread.
 */
final class ShardDeliveries {
    private static final int DELIVERIES_PER_STEP = 256;

    /** The bytes of content after which a turn takes no second step. */
    private static final long CONTENT_BYTES_MAX = 4L << 20;

    private static final List<Lane> LANES = List.of(Lane.MAIN, Lane.DEAD_LETTER, Lane.TRANSFER_DEAD_LETTER);

    private final ShardContext context;
    private final RecordApplier applier;
    private final EntitiesInShard entitiesInShard;
    private final ShardReceivers receivers;
    private final ShardScheduler scheduler;
    private final Forwarder forwarder;
    private final StoreRowReader reader;
    private final StoreRowWriter writer;
    private final @Nullable Interventions interventions;

    /** The deliveries of this turn and their content. */
    private int delivered;

    private long deliveredBytes;

    /** @param interventions those of a broker under test, or null */
    ShardDeliveries(
            ShardContext context,
            RecordApplier applier,
            EntitiesInShard entitiesInShard,
            ShardReceivers receivers,
            ShardScheduler scheduler,
            Forwarder forwarder,
            StoreRowReader reader,
            StoreRowWriter writer,
            @Nullable Interventions interventions) {
        this.context = context;
        this.applier = applier;
        this.entitiesInShard = entitiesInShard;
        this.receivers = receivers;
        this.scheduler = scheduler;
        this.forwarder = forwarder;
        this.reader = reader;
        this.writer = writer;
        this.interventions = interventions;
    }

    private void pause(EntityInShard inShard, List<Record> paused) {
        if (!paused.isEmpty()) {
            receivers.beCareful();
            applier.apply(inShard, paused, false);
        }
    }

    /** Releases locks of prefetched, unclaimed messages if other receivers wait for messages (PART-60). */
    private void recall(EntityInShard inShard) {
        UnclaimedLocks unclaimed = inShard.entity().unclaimed();
        boolean starved = QueueDecider.isStarved(inShard.state());
        unclaimed.setAwaited(starved);
        if (starved) {
            List<UUID> recalled = QueueDecider.wantedElsewhere(inShard.state(), unclaimed.kept()).stream()
                    .filter(unclaimed::recall)
                    .toList();
            applier.apply(inShard, QueueDecider.releaseUnclaimed(inShard.state(), recalled, context.situation()), true);
        }
    }

    /**
     * Runs each ready entity once, and again until the turn has as many deliveries as changes by tasks: otherwise the senders of a
     * busy queue would leave its receivers behind. If the entities write more than fits well into one batch, or deliver much content,
     * the rest follows in the next turn. Returns whether there was work.
     */
    boolean run() {
        int share = writer.rowCount();
        long bytesMax = writer.batchBytes() + Shard.BATCH_BYTES_MAX;
        delivered = 0;
        deliveredBytes = 0;
        boolean worked = false;
        int before;
        do {
            before = delivered;
            worked |= pass(bytesMax);
        } while (delivered > before
                && delivered < share
                && deliveredBytes < CONTENT_BYTES_MAX
                && writer.batchBytes() <= bytesMax);
        return worked;
    }

    private boolean pass(long bytesMax) {
        boolean worked = false;
        boolean careful = receivers.isCareful();
        receivers.relax();
        for (int i = scheduler.readyCount(); i > 0; i--) {
            if (writer.batchBytes() > bytesMax) {
                if (careful) {
                    receivers.beCareful();
                }
                return true;
            }
            EntityInShard inShard = scheduler.pollReady();
            if (inShard == null) {
                break;
            }
            if (!entitiesInShard.isCurrent(inShard)) {
                continue;
            }
            if (careful) {
                pause(inShard, receivers.fullOnes(inShard.state().waitingReceiverIds()));
            }
            boolean searching = false;
            for (Lane lane : LANES) {
                if (inShard.state().isWaitedFor(lane)) {
                    searching |= inShard.state().fill(lane, reader);
                }
            }
            if (inShard.entity().isFragment()) {
                recall(inShard);
            }
            Decision decision =
                    QueueDecider.decideDeliveries(inShard.state(), context.situation(), DELIVERIES_PER_STEP);
            applier.apply(inShard, decision.records(), false);
            if (!decision.outputs().isEmpty()) {
                applier.touch(inShard);
            }
            count(decision.outputs());
            pause(inShard, receivers.tell(inShard, decision.outputs()));
            if (interventions != null) {
                interventions.delivered(inShard, decision.records());
            }
            searching |= forwarder.pump(inShard);
            forwarder.run();
            if (searching || !decision.outputs().isEmpty()) {
                worked = true;
                applier.wakeReceivers(inShard); // after the other ready entities
            }
            scheduler.timers().arm(inShard);
        }
        return worked;
    }

    private void count(List<Output> outputs) {
        delivered += outputs.size();
        for (Output output : outputs) {
            if (output instanceof Output.Delivered one) {
                deliveredBytes += one.message().content().sizeBytes();
            }
        }
    }
}
