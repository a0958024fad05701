package dev.jitney.runtime.shard;

import dev.jitney.core.Decision;
import dev.jitney.core.idle.Activity;
import dev.jitney.core.queue.decide.QueueDecider;
import dev.jitney.core.topic.FanOut;
import dev.jitney.core.topic.decide.TopicDecider;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import dev.jitney.runtime.shard.entity.EntitiesInShard;
import dev.jitney.runtime.shard.entity.EntityInShard;
import dev.jitney.runtime.shard.entity.RecordApplier;
import dev.jitney.runtime.shard.entity.ShardContext;
import dev.jitney.runtime.shard.entity.ShardScheduler;
import dev.jitney.runtime.shard.entity.TopicInShard;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Runs the due timers of a shard's entities. For the shard's thread. */
final class ShardTimers {
    private static final int RECORDS_PER_STEP = 500;

    private final ShardContext context;
    private final RecordApplier applier;
    private final EntitiesInShard entitiesInShard;
    private final ShardReceivers receivers;
    private final ShardScheduler scheduler;
    private final TemporaryEntities temporary;
    private final EntityLifecycle lifecycle;
    private final StoreRowReader reader;
    private final StoreRowWriter writer;

    /** Topics with due scheduled messages that the last turn had no steps left to evaluate. */
    private final List<TopicInShard> late = new ArrayList<>(0);

    ShardTimers(
            ShardContext context,
            RecordApplier applier,
            EntitiesInShard entitiesInShard,
            ShardReceivers receivers,
            ShardScheduler scheduler,
            TemporaryEntities temporary,
            EntityLifecycle lifecycle,
            StoreRowReader reader,
            StoreRowWriter writer) {
        this.context = context;
        this.applier = applier;
        this.entitiesInShard = entitiesInShard;
        this.receivers = receivers;
        this.scheduler = scheduler;
        this.temporary = temporary;
        this.lifecycle = lifecycle;
        this.reader = reader;
        this.writer = writer;
    }

    /** Runs due timers, limited by the size of one batch. Returns whether there were any. */
    boolean run() {
        long nowMs = context.nowMs();
        boolean worked = false;
        List<EntityInShard> again = new ArrayList<>();
        List<TopicInShard> topics = new ArrayList<>(0);
        long bytesMax = writer.batchBytes() + Shard.BATCH_BYTES_MAX;
        while (!temporary.hasDeletedEnough() && writer.batchBytes() <= bytesMax) {
            EntityInShard inShard = scheduler.timers().pollDue(nowMs);
            if (inShard == null) {
                break;
            }
            if (!entitiesInShard.isCurrent(inShard)) {
                continue;
            }
            if (temporary.isToGo(inShard, nowMs)) {
                lifecycle.deleteIdle(inShard.entity());
                worked = true;
                continue;
            }
            if (inShard.nextTimerMs() <= nowMs) {
                worked = true;
                applier.apply(inShard, inShard.forgetIds(reader, nowMs), true); // not activity of the entity
                if (inShard.nextMoveMs() <= nowMs) {
                    inShard.state().fillTimers(reader);
                    if (inShard instanceof TopicInShard topic) {
                        endLocks(topic);
                        if (topic.mayPublish()) {
                            topics.add(topic);
                        }
                    } else {
                        runTimers(inShard);
                    }
                }
            }
            again.add(inShard);
        }
        publishDue(topics);
        again.stream()
                .filter(entitiesInShard::isCurrent)
                .forEach(scheduler.timers()::arm); // else its topic was deleted in the meantime
        return worked;
    }

    /** Ends expired locks of unclaimed messages without increasing the delivery count (PART-60). */
    private void endKept(EntityInShard inShard) {
        List<UUID> kept = inShard.entity()
                .unclaimed()
                .takeEnded(inShard.state().endedLockTokens(context.nowMs(), RECORDS_PER_STEP));
        if (!kept.isEmpty()) {
            applier.changeInside(inShard, QueueDecider.releaseUnclaimed(inShard.state(), kept, context.situation()));
        }
    }

    /**
     * Publishes the due scheduled messages of topics, whose rules may be slow: at least one message in a turn, and more
     * while the turn has steps left. Topics that had to wait come first in the next turn.
     */
    private void publishDue(List<TopicInShard> topics) {
        List<TopicInShard> inOrder = new ArrayList<>(topics);
        inOrder.removeAll(late);
        late.retainAll(topics);
        inOrder.addAll(0, late);
        late.clear();
        for (TopicInShard topic : inOrder) {
            if (!entitiesInShard.isCurrent(topic)) {
                continue;
            }
            if (late.isEmpty() && (topic == inOrder.get(0) || !context.steps().isSpent())) {
                publishDue(topic);
            } else {
                late.add(topic);
            }
        }
    }

    private void publishDue(TopicInShard topic) {
        int copiesPerMessage = Math.max(1, topic.subscriptions().subscriberCount());
        FanOut publication = TopicDecider.publishDue(
                topic.state(),
                topic.description(),
                topic.subscriptions(),
                context.situation(),
                Math.max(1, RECORDS_PER_STEP / copiesPerMessage),
                () -> !context.steps().isSpent());
        applier.apply(topic, publication, true);
        if (Activity.ofTime(publication.records())) {
            applier.touch(topic);
        }
    }

    /** Ends locks in the transfer dead-letter queue of a topic (LOCK-7, DLQ-33). */
    private void endLocks(TopicInShard topic) {
        endKept(topic);
        apply(topic, QueueDecider.endLocks(topic.state(), context.situation(), RECORDS_PER_STEP));
    }

    private void runTimers(EntityInShard inShard) {
        endKept(inShard);
        apply(inShard, QueueDecider.decideTimers(inShard.state(), context.situation(), RECORDS_PER_STEP));
    }

    private void apply(EntityInShard inShard, Decision decision) {
        boolean awaited = Activity.isAwaited(inShard.state());
        applier.apply(inShard, decision.records(), true);
        if (awaited || Activity.ofTime(decision.records())) {
            applier.touch(inShard);
        }
        receivers.tell(inShard, decision.outputs());
        applier.wakeReceivers(inShard);
    }
}
