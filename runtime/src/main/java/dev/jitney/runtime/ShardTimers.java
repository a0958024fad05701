package dev.jitney.runtime;

import dev.jitney.core.Decision;
import dev.jitney.core.idle.Activity;
import dev.jitney.core.queue.decide.QueueDecider;
import dev.jitney.core.topic.FanOut;
import dev.jitney.core.topic.decide.TopicDecider;
import dev.jitney.runtime.rows.StoreRowReader;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Lets time do its part in the entities of a shard whose time has come. For the shard's thread. */
final class ShardTimers {
    private static final int RECORDS_PER_STEP = 500;

    private final ShardWork shard;
    private final ShardSlots slots;
    private final ShardReceivers receivers;
    private final Agenda agenda;
    private final TemporaryEntities temporary;
    private final StoreRowReader reader;

    /** Topics whose scheduled messages were due in the last turn, which had no steps left to judge them. */
    private final List<TopicSlot> late = new ArrayList<>(0);

    ShardTimers(
            ShardWork shard,
            ShardSlots slots,
            ShardReceivers receivers,
            Agenda agenda,
            TemporaryEntities temporary,
            StoreRowReader reader) {
        this.shard = shard;
        this.slots = slots;
        this.receivers = receivers;
        this.agenda = agenda;
        this.temporary = temporary;
        this.reader = reader;
    }

    /** Does all that is due; returns whether there was something. */
    boolean run() {
        long nowMs = shard.nowMs();
        boolean worked = false;
        List<EntitySlot> again = new ArrayList<>();
        List<TopicSlot> topics = new ArrayList<>(0);
        while (!temporary.hasDeletedEnough()) {
            EntitySlot slot = agenda.alarms().pollDue(nowMs);
            if (slot == null) {
                break;
            }
            if (!slots.isCurrent(slot)) {
                continue;
            }
            if (temporary.deleteIfIdle(slot, nowMs)) {
                worked = true;
                continue;
            }
            if (slot.nextTimerMs() <= nowMs) {
                worked = true;
                shard.apply(slot, slot.forgetIds(reader, nowMs), true); // no activity of the entity
                if (slot.nextMoveMs() <= nowMs) {
                    slot.state.fillTimers(reader);
                    if (slot instanceof TopicSlot topic) {
                        topics.add(topic);
                    } else {
                        runTimers(slot);
                    }
                }
            }
            again.add(slot);
        }
        publishDue(topics);
        again.stream().filter(slots::isCurrent).forEach(agenda.alarms()::arm); // else its topic has gone meanwhile
        return worked;
    }

    /** PART-60: locks of messages that nobody has got end without counting. */
    private void endKept(EntitySlot slot) {
        List<UUID> kept =
                slot.entity.unclaimed().takeEnded(slot.state.endedLockTokens(shard.nowMs(), RECORDS_PER_STEP));
        if (!kept.isEmpty()) {
            shard.changeInside(slot, QueueDecider.releaseUnclaimed(slot.state, kept, shard.situation()));
        }
    }

    /**
     * Publishes the scheduled messages of topics, whose rules may take long: at least one message in a turn, more while the turn
     * has steps. Topics that got none come first in the next turn.
     */
    private void publishDue(List<TopicSlot> topics) {
        List<TopicSlot> inOrder = new ArrayList<>(topics);
        inOrder.removeAll(late);
        late.retainAll(topics);
        inOrder.addAll(0, late);
        late.clear();
        for (TopicSlot topic : inOrder) {
            if (!slots.isCurrent(topic)) {
                continue;
            }
            if (late.isEmpty() && (topic == inOrder.get(0) || !shard.steps().isSpent())) {
                publishDue(topic);
            } else {
                late.add(topic);
            }
        }
    }

    private void publishDue(TopicSlot topic) {
        endKept(topic);
        int copiesPerMessage = Math.max(1, topic.audience.subscriberCount());
        FanOut publication = TopicDecider.publishDue(
                topic.state,
                topic.description(),
                topic.audience,
                shard.situation(),
                Math.max(1, RECORDS_PER_STEP / copiesPerMessage),
                () -> !shard.steps().isSpent());
        shard.apply(topic, publication, true);
        if (Activity.ofTime(publication.records())) {
            shard.touch(topic);
        }
    }

    private void runTimers(EntitySlot slot) {
        endKept(slot);
        boolean awaited = Activity.isAwaited(slot.state);
        Decision decision = QueueDecider.decideTimers(slot.state, shard.situation(), RECORDS_PER_STEP);
        shard.apply(slot, decision.records(), true);
        if (awaited || Activity.ofTime(decision.records())) {
            shard.touch(slot);
        }
        receivers.tell(slot, decision.outputs());
        shard.wakeReceivers(slot);
    }
}
