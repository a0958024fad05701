package dev.jitney.runtime.shard.forward;

import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.Transfer;
import dev.jitney.core.queue.decide.TransferDecisions;
import dev.jitney.core.queue.decide.TransferDecisions.Failure;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.rows.StoreFault;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowReader.OutboxLane;
import dev.jitney.runtime.shard.entity.EntityInShard;
import dev.jitney.runtime.shard.entity.RecordApplier;
import dev.jitney.runtime.shard.entity.ShardContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Hands messages of this shard's outboxes to their destinations, in this shard or in another (design, section 4).
 *
 * <p>Lane by lane, which is one source and one destination, one batch at a time and in the order of the transfer numbers:
 * so the destination recognises by its mark what it has stored already, whatever crashed or failed in between, and every
 * message arrives exactly once. What fails for good goes to the source's transfer dead-letter queue (DLQ-29 to DLQ-31); what
 * may succeed later is tried again after a pause, without limit. Only rows are durable; this is rebuilt from them.
 *
 * <p>For the shard's thread.
 */
final class Outbox {
    private static final int BATCHES_MAX = 64;
    /** A lane has one batch at a time and each costs two commits, so what limits it should be the bytes. */
    private static final int TRANSFERS_PER_BATCH = 1_024;

    private static final long BYTES_PER_BATCH = 1L << 20;
    private static final long PAUSE_MIN_MS = 250;
    private static final long PAUSE_MAX_MS = 30_000;

    private final ShardContext context;
    private final RecordApplier applier;
    private final StoreRowReader reader;
    private final Map<OutboxLane, TransferLane> lanes = new HashMap<>();
    private final ArrayDeque<TransferLane> ready = new ArrayDeque<>();
    private final PriorityQueue<TransferLane> paused =
            new PriorityQueue<>(Comparator.comparingLong(lane -> lane.resumeAtMs));
    private Map<FragmentId, Long> loaded = Map.of();
    private @Nullable LongFunction<@Nullable Inbox> inboxes;
    private @Nullable ReturnedDeadLetters returnedDeadLetters;
    private long lastBatch;
    private int batches;

    /** Has a dead-letter that comes back passed by. */
    @FunctionalInterface
    interface ReturnedDeadLetters {
        /** @return the record that keeps it among the dead-letters */
        Record returned(EntityInShard source, long number);
    }

    Outbox(ShardContext context, RecordApplier applier, StoreRowReader reader) {
        this.context = context;
        this.applier = applier;
        this.reader = reader;
    }

    /**
     * Sets where transfers go, before the shard runs.
     *
     * @param all the inbox of the shard that keeps an entity, null for numbers of no shard
     */
    void connect(LongFunction<@Nullable Inbox> all) {
        inboxes = all;
    }

    /** Sets who hears of dead-letters that their destination does not take after all. */
    void onReturn(ReturnedDeadLetters listener) {
        returnedDeadLetters = listener;
    }

    /**
     * Finds out what the store has.
     *
     * @param damage hears of rows that cannot be read
     */
    void load(Consumer<StoreFault> damage) {
        Map<FragmentId, Long> bySource = new HashMap<>();
        Map<OutboxLane, Long> stored = reader.outboxes(damage);
        if (!stored.isEmpty()) {
            Set<Long> sources = reader.entityIds();
            stored.keySet().removeIf(key -> !sources.contains(key.source().entityId())); // left by a damaged one
        }
        stored.forEach((key, count) -> {
            TransferLane lane = new TransferLane(key);
            lane.waiting = count;
            lanes.put(key, lane);
            ready.add(lane);
            bySource.merge(key.source(), count, Long::sum);
        });
        loaded = bySource;
    }

    /** How many transfers of a source the store had when it was read. */
    long loadedCount(FragmentId source) {
        return loaded.getOrDefault(source, 0L);
    }

    /** Forgets everything, before the store is read anew; answers to batches under way mean nothing any more. */
    void lose() {
        lanes.clear();
        ready.clear();
        paused.clear();
        batches = 0;
    }

    /** A record has put a transfer into the outbox. */
    void queued(FragmentId source, Transfer transfer) {
        TransferLane lane = lanes.computeIfAbsent(new OutboxLane(source, transfer.destinationId()), TransferLane::new);
        if (lane.waiting++ == 0) {
            lane.from = transfer.number();
            ready.add(lane);
        } else {
            lane.from = Math.min(lane.from, transfer.number());
        }
    }

    /** How many transfers wait in a lane, those under way too. */
    long waiting(OutboxLane key) {
        TransferLane lane = lanes.get(key);
        return lane == null ? 0 : lane.waiting;
    }

    /** Sends on their way what waits, after a commit has made it durable. */
    void depart() {
        LongFunction<@Nullable Inbox> all = inboxes;
        while (batches < BATCHES_MAX && !ready.isEmpty() && all != null) {
            TransferLane lane = ready.remove();
            if (context.isDamaged(lane.key.source().entityId())) { // its transfers may be what cannot be read
                lanes.remove(lane.key, lane);
                continue;
            }
            List<Transfer> transfers = reader.transfers(lane.key, lane.from, TRANSFERS_PER_BATCH, BYTES_PER_BATCH);
            if (transfers.isEmpty()) { // its source was deleted
                lanes.remove(lane.key, lane);
                continue;
            }
            lane.inFlight = transfers;
            lane.batch = ++lastBatch;
            batches++;
            Inbox destination = all.apply(lane.key.destinationId());
            if (destination == null) {
                context.mailbox()
                        .put(new TransferAck(this, lane.key, lane.batch, 0, Rejection.of(ErrorCode.ENTITY_NOT_FOUND)));
            } else {
                destination
                        .mailbox()
                        .put(new TransferBatch(lane.key, lane.batch, transfers, destination, this, context.mailbox()));
            }
        }
    }

    /** @param done how many of its transfers the destination has, all in order before a failure */
    void acknowledged(OutboxLane key, long batch, int done, @Nullable Rejection failure) {
        TransferLane lane = lanes.get(key);
        if (lane == null || lane.batch != batch) {
            return; // from before the shard read its store again
        }
        batches--;
        lane.batch = 0;
        EntityInShard source = context.find(key.source().entityId());
        if (source == null) {
            lanes.remove(key);
            return;
        }
        List<Record> records = new ArrayList<>();
        for (Transfer transfer : lane.inFlight.subList(0, done)) {
            records.add(TransferDecisions.done(transfer));
            if (transfer.origin() != null) {
                source.forwarded(transfer.message());
            }
        }
        boolean dead = failure != null && isForGood(source, lane.inFlight.get(done), failure);
        if (dead && failure != null) {
            Transfer refused = lane.inFlight.get(done);
            records.add(TransferDecisions.deadLettered(
                    refused, Failure.of(failure), ForwardingRules.target(source), context.nowMs()));
        }
        if (!records.isEmpty()) {
            lane.from = lane.inFlight.get(records.size() - 1).number() + 1;
        }
        List<Transfer> inFlight = lane.inFlight;
        lane.inFlight = List.of();
        lane.waiting -= records.size();
        if (dead) {
            Transfer refused = inFlight.get(done);
            if (refused.origin() != null && refused.origin().lane() == Lane.DEAD_LETTER) {
                records.add(Objects.requireNonNull(returnedDeadLetters).returned(source, refused.number()));
            }
        }
        applier.changeInside(source, records);
        if (failure != null && !dead) {
            lane.pauseMs = Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, lane.pauseMs * 2));
            lane.resumeAtMs = context.nowMs() + lane.pauseMs;
            paused.add(lane);
        } else if (lane.waiting > 0) {
            lane.pauseMs = 0;
            ready.add(lane);
        } else {
            lanes.remove(key);
        }
    }

    private static boolean isForGood(EntityInShard source, Transfer transfer, Rejection failure) {
        return transfer.origin() == null
                ? !failure.code().retryable()
                : transfer.origin().lane() == Lane.DEAD_LETTER
                                && !failure.code().retryable()
                        || !ForwardingRules.retries(source, failure);
    }

    /** Goes on with lanes whose pause is over; returns whether there were some. */
    boolean runTimers(long nowMs) {
        boolean worked = false;
        while (nextTimerMs() <= nowMs) {
            ready.add(paused.remove());
            worked = true;
        }
        return worked;
    }

    /** When the next pause is over, {@link Long#MAX_VALUE} if none is. */
    long nextTimerMs() {
        TransferLane first = paused.peek();
        return first == null ? Long.MAX_VALUE : first.resumeAtMs;
    }
}
