package dev.jitney.runtime.shard;

import dev.jitney.core.Decision;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.queue.LockView;
import dev.jitney.core.queue.decide.QueueDecider;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.shard.entity.EntitiesInShard;
import dev.jitney.runtime.shard.entity.EntityInShard;
import dev.jitney.runtime.shard.entity.RecordApplier;
import dev.jitney.runtime.shard.entity.ShardContext;
import dev.jitney.runtime.shard.entity.ShardScheduler;
import dev.jitney.runtime.shard.entity.TopicInShard;
import dev.jitney.runtime.shard.forward.Forwarder;
import dev.jitney.runtime.shard.turn.Effects;
import dev.jitney.runtime.shard.turn.ShardTask;
import dev.jitney.runtime.testing.BrokerTesting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The operations of tests on the entities of a shard: resets, lost locks, duplicate deliveries, and the search for work in progress. For the shard's thread; {@link #send} brings a task to it.
 */
public final class Interventions {
    private static final List<Lane> LANES = List.of(Lane.MAIN, Lane.DEAD_LETTER, Lane.TRANSFER_DEAD_LETTER);

    private final ShardContext context;
    private final RecordApplier applier;
    private final EntitiesInShard entitiesInShard;
    private final ShardScheduler scheduler;
    private final Forwarder forwarder;
    private final Effects effects;
    private final HistoryRecorder recorder;

    /** The entities whose next locked delivery is lost, each with whether that has not happened yet in any fragment. */
    private final Map<Long, AtomicBoolean> duplicating = new HashMap<>();

    Interventions(
            ShardContext context,
            RecordApplier applier,
            EntitiesInShard entitiesInShard,
            ShardScheduler scheduler,
            Forwarder forwarder,
            Effects effects,
            HistoryRecorder recorder) {
        this.context = context;
        this.applier = applier;
        this.entitiesInShard = entitiesInShard;
        this.scheduler = scheduler;
        this.forwarder = forwarder;
        this.effects = effects;
        this.recorder = recorder;
    }

    /**
     * The work of a shard at a moment.
     *
     * @param nextMs the time of the next timer, milliseconds since the epoch; {@link Long#MAX_VALUE} for none
     * @param due whether work is due that the next turn does
     * @param applied the number of records applied so far, which changes with every piece of work
     * @param reasons what is on its way in the namespace, as sentences
     */
    public record Work(long nextMs, boolean due, long applied, List<String> reasons) {}

    /** A task for the shard's thread. */
    @FunctionalInterface
    public interface Task<T> {
        /** @throws BrokerException to refuse it; then it must not have changed anything */
        T run(Interventions shard) throws BrokerException;
    }

    /**
     * Runs a task on the shard's thread. Any thread may call it.
     *
     * @return completes when the changes of the task are durable, or fails with {@link BrokerException}
     */
    public <T> CompletableFuture<T> send(Task<T> task) {
        CompletableFuture<T> done = new CompletableFuture<>();
        context.mailbox().put(new ShardTask() {
            @Override
            public void run() {
                try {
                    T result = task.run(Interventions.this);
                    effects.afterCommit(new ReplyListener() {
                        @Override
                        public void onReply(Reply reply) {
                            done.complete(result);
                        }

                        @Override
                        public void onRejected(Rejection rejection) {
                            refuse(rejection);
                        }
                    });
                } catch (BrokerException e) {
                    done.completeExceptionally(e);
                } catch (RuntimeException e) {
                    refuse(Rejection.of(ErrorCode.INTERNAL));
                    throw e; // the shard reloads its state from the store
                }
            }

            @Override
            public void refuse(Rejection reason) {
                done.completeExceptionally(new BrokerException(reason));
            }
        });
        return done;
    }

    // --- changes ---

    /** Removes everything in the entities of a namespace, and returns the number of messages. */
    public int reset(String namespace) throws BrokerException {
        List<EntityInShard> all = of(namespace);
        long count = 0;
        for (EntityInShard inShard : all) {
            count += inShard.state().counts().total();
        }
        if (count > BrokerTesting.RESET_MESSAGES_MAX) {
            throw new BrokerException(new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "Expected at most " + BrokerTesting.RESET_MESSAGES_MAX + " messages in the namespace '" + namespace
                            + "', which a reset removes in one commit, but it has " + count
                            + ". Delete the namespace and create another one instead."));
        }
        int messages = 0;
        for (EntityInShard inShard : all) {
            if (!(inShard instanceof TopicInShard)) {
                messages += reset(inShard);
            }
        }
        for (EntityInShard inShard : all) {
            if (inShard instanceof TopicInShard) {
                messages += reset(inShard);
            }
        }
        return messages;
    }

    private int reset(EntityInShard inShard) {
        Decision decision = QueueDecider.reset(inShard.state(), context.situation());
        applier.apply(inShard, decision.records(), false);
        duplicating.remove(inShard.entityId());
        recorder.reset(inShard);
        applier.wake(inShard);
        return decision.reply() instanceof Reply.Deleted deleted ? deleted.count() : 0;
    }

    /** Ends the locks in an entity, or in all fragments of a partitioned one, that this shard has. */
    public boolean loseLocks(Set<Long> entityIds) {
        for (long id : entityIds) {
            EntityInShard inShard = entitiesInShard.get(id);
            if (inShard != null) {
                applier.apply(inShard, QueueDecider.loseLocks(inShard.state(), context.situation()), true);
                applier.wake(inShard);
            }
        }
        return true;
    }

    /**
     * Ends the lock of the next message that one of the entities delivers, as soon as it is delivered.
     *
     * @param left true until one of the fragments, which may be in several shards, has done so
     */
    public boolean duplicateNextDelivery(Set<Long> entityIds, AtomicBoolean left) {
        entityIds.stream().filter(id -> entitiesInShard.get(id) != null).forEach(id -> duplicating.put(id, left));
        return true;
    }

    /** Called when an entity has delivered messages. */
    void delivered(EntityInShard inShard, List<Record> records) {
        AtomicBoolean left = duplicating.isEmpty() ? null : duplicating.get(inShard.entityId());
        if (left == null) {
            return;
        }
        for (Record record : records) {
            if (record instanceof Record.MessageLocked locked) {
                LockView lock = inShard.state().lock(locked.lockToken());
                if (lock != null) {
                    duplicating.remove(inShard.entityId());
                    if (left.getAndSet(false)) {
                        applier.apply(inShard, QueueDecider.loseLock(lock, context.situation()), true);
                    }
                    return;
                }
            }
        }
    }

    // --- questions ---

    /**
     * Returns the work of the shard when this turn began.
     *
     * @param namespace the namespace to explain, or null for none
     */
    public Work work(@Nullable String namespace) {
        long nextMs = Math.min(scheduler.timers().nextMs(), forwarder.nextTimerMs());
        boolean due = nextMs <= context.nowMs() || scheduler.readyCount() > 0;
        List<String> reasons = new ArrayList<>();
        if (namespace != null) {
            of(namespace).forEach(inShard -> explain(inShard, reasons));
        }
        return new Work(nextMs, due, applier.appliedCount(), reasons);
    }

    private void explain(EntityInShard inShard, List<String> reasons) {
        String name = "'" + inShard.entity().path() + "'";
        int locked = inShard.state().lockCount()
                - inShard.entity().unclaimed().kept().size();
        if (locked > 0) {
            reasons.add(name + ": " + messages(locked) + " locked by receivers.");
        }
        long transfers = inShard.state().counts().transfer();
        if (transfers > 0) {
            reasons.add(name + ": " + messages(transfers) + " on the way to another entity.");
        }
        if (forwarder.hasWork(inShard)) {
            reasons.add(name + ": Messages wait to be forwarded.");
        }
        for (Lane lane : LANES) {
            if (inShard.state().isWaitedFor(lane)
                    && (inShard.state().availableCount(lane) > 0
                            || inShard.state().hasMoreInStore(lane))
                    && inShard.state().description().status().allowsReceive()) {
                reasons.add(name + ": Messages wait for their delivery to a connected receiver.");
            }
        }
        if (inShard.nextTimerMs() <= context.nowMs()) {
            reasons.add(name + ": Timers are due.");
        }
    }

    private static String messages(long count) {
        return count == 1 ? "1 message is" : count + " messages are";
    }

    private List<EntityInShard> of(String namespace) {
        return entitiesInShard.all().stream()
                .filter(inShard -> inShard.entity().namespaceOptions().name().equalsIgnoreCase(namespace))
                .toList();
    }
}
