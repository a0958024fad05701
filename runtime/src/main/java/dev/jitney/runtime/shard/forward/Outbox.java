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
 * Sends the messages of this shard's outboxes to their destinations, in this shard or in another (design, section 4).
 *
 * <p>A lane is one source and one destination. Each lane sends one batch at a time, in the order of the transfer
 * numbers. So the destination recognizes stored transfers by its mark after any crash or failure, and every message
 * arrives exactly once. A message that fails permanently goes to the source's transfer dead-letter queue (DLQ-29 to
 * DLQ-31). A message that may succeed later is retried after a pause, without limit. Only rows are durable; this state
 * is rebuilt from them.
 *
 * <p>For the shard's thread.
 */
final class Outbox {
    /**
     * The limit of transfers in a batch. A lane has one batch at a time, and each costs two commits, so bytes should be
     * the limit.
     */
    private static final int TRANSFERS_PER_BATCH = 1_024;

    private static final long BYTES_PER_BATCH = 1L << 20;
    private static final long PAUSE_MIN_MS = 250;
    private static final long PAUSE_MAX_MS = 30_000;

    private final ShardContext context;
    private final RecordApplier applier;
    private final StoreRowReader reader;
    private final Map<OutboxLane, TransferLane> lanes = new HashMap<>();
    private final DepartingLanes ready = new DepartingLanes();
    private final PriorityQueue<TransferLane> paused =
            new PriorityQueue<>(Comparator.comparingLong(lane -> lane.resumeAtMs));
    private Map<FragmentId, Long> loaded = Map.of();
    private @Nullable LongFunction<@Nullable Inbox> inboxes;
    private @Nullable ReturnedDeadLetters returnedDeadLetters;
    private long lastBatch;

    /** Keeps a dead-letter that comes back from the outbox. */
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
     * Connects the outbox to the inboxes of the destinations, before the shard runs.
     *
     * @param all returns the inbox of the shard that hosts an entity, or null for an unknown number
     */
    void connect(LongFunction<@Nullable Inbox> all) {
        inboxes = all;
    }

    /** Sets the listener for dead-letters that their destination refuses after all. */
    void onReturn(ReturnedDeadLetters listener) {
        returnedDeadLetters = listener;
    }

    /**
     * Loads the stored transfers.
     *
     * @param damage called for rows that cannot be read
     */
    void load(Consumer<StoreFault> damage) {
        Map<FragmentId, Long> bySource = new HashMap<>();
        Map<OutboxLane, Long> stored = reader.outboxes(damage);
        if (!stored.isEmpty()) {
            Set<Long> sources = reader.entityIds();
            // Drops the rows of sources that were deleted while damaged.
            stored.keySet().removeIf(key -> !sources.contains(key.source().entityId()));
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

    /** Returns how many transfers of a source were stored when the store was read. */
    long loadedCount(FragmentId source) {
        return loaded.getOrDefault(source, 0L);
    }

    /** Drops all state before the store is reloaded. Later answers to batches in flight are ignored. */
    void lose() {
        lanes.clear();
        ready.clear();
        paused.clear();
    }

    /** Notes a transfer that a record has put into the outbox. */
    void queued(FragmentId source, Transfer transfer) {
        TransferLane lane = lanes.computeIfAbsent(new OutboxLane(source, transfer.destinationId()), TransferLane::new);
        if (lane.waiting++ == 0) {
            lane.from = transfer.number();
            ready.add(lane);
        } else {
            lane.from = Math.min(lane.from, transfer.number());
        }
    }

    /** Returns how many transfers wait in a lane, including those in flight. */
    long waiting(OutboxLane key) {
        TransferLane lane = lanes.get(key);
        return lane == null ? 0 : lane.waiting;
    }

    /** Sends the waiting transfers, after a commit has made them durable. */
    void depart() {
        LongFunction<@Nullable Inbox> all = inboxes;
        if (all == null) {
            return;
        }
        for (TransferLane lane = ready.next(); lane != null; lane = ready.next()) {
            if (context.isDamaged(lane.key.source().entityId())) { // its transfers may be corrupt
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
            ready.sent(lane.key);
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

    /** @param done how many transfers the destination has stored, in order, before a failure */
    void acknowledged(OutboxLane key, long batch, int done, @Nullable Rejection failure) {
        TransferLane lane = lanes.get(key);
        if (lane == null || lane.batch != batch) {
            return; // sent before the shard reloaded its store
        }
        ready.answered(key);
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

    /** Continues with lanes whose pause has ended. Returns whether there were any. */
    boolean runTimers(long nowMs) {
        boolean worked = false;
        while (nextTimerMs() <= nowMs) {
            ready.add(paused.remove());
            worked = true;
        }
        return worked;
    }

    /** Returns the end of the next pause, or {@link Long#MAX_VALUE}. */
    long nextTimerMs() {
        TransferLane first = paused.peek();
        return first == null ? Long.MAX_VALUE : first.resumeAtMs;
    }
}
