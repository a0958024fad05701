package dev.jitney.runtime;

import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.Transfer;
import dev.jitney.core.queue.decide.TransferDecisions;
import dev.jitney.core.queue.decide.TransferDecisions.Failure;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowReader.OutboxLane;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Hands messages of this shard's outboxes to their destinations, in this shard or in another (design, section 4).
 *
 * <p>Lane by lane, which is one source and one destination, one flight at a time and in the order of the transfer numbers:
 * so the destination recognises by its mark what it has stored already, whatever crashed or failed in between, and every
 * message arrives exactly once. What fails for good goes to the source's transfer dead-letter queue (DLQ-29 to DLQ-31); what
 * may succeed later is tried again after a pause, without limit. Only rows are durable; this is rebuilt from them.
 *
 * <p>For the shard's thread.
 */
final class Outbox {
    private static final int FLIGHTS_MAX = 64;
    /** A lane has one flight at a time and each costs two commits, so what limits it should be the bytes. */
    private static final int TRANSFERS_PER_FLIGHT = 1_024;

    private static final long BYTES_PER_FLIGHT = 1L << 20;
    private static final long PAUSE_MIN_MS = 250;
    private static final long PAUSE_MAX_MS = 30_000;

    private final ShardWork shard;
    private final StoreRowReader reader;
    private final Map<OutboxLane, Line> lines = new HashMap<>();
    private final ArrayDeque<Line> ready = new ArrayDeque<>();
    private final PriorityQueue<Line> paused = new PriorityQueue<>(Comparator.comparingLong(line -> line.resumeAtMs));
    private Map<FragmentId, Long> loaded = Map.of();
    private @Nullable Mailbox home;
    private LongFunction<@Nullable Mailbox> mailboxes = entityId -> null;
    private long lastFlight;
    private int flights;

    /** One lane with what waits in it. */
    private static final class Line {
        final OutboxLane lane;
        long waiting;

        /** No transfer waits that has a smaller number. */
        long from;

        /** The flight under way, 0 if there is none. */
        long flight;

        List<Transfer> inFlight = List.of();
        long pauseMs;
        long resumeAtMs;

        Line(OutboxLane lane) {
            this.lane = lane;
        }
    }

    Outbox(ShardWork shard, StoreRowReader reader) {
        this.shard = shard;
        this.reader = reader;
    }

    /**
     * @param own the mailbox of this shard
     * @param all the mailbox of the shard that keeps an entity, null for numbers of no shard
     */
    void connect(Mailbox own, LongFunction<@Nullable Mailbox> all) {
        home = own;
        mailboxes = all;
    }

    /** Finds out what the store has. */
    void load() {
        Map<FragmentId, Long> bySource = new HashMap<>();
        Map<OutboxLane, Long> stored = reader.outboxes(shard::expectDamage);
        if (!stored.isEmpty()) {
            Set<Long> sources = reader.entityIds();
            stored.keySet().removeIf(lane -> !sources.contains(lane.source().entityId())); // left by a damaged one
        }
        stored.forEach((lane, count) -> {
            Line line = new Line(lane);
            line.waiting = count;
            lines.put(lane, line);
            ready.add(line);
            bySource.merge(lane.source(), count, Long::sum);
        });
        loaded = bySource;
    }

    /** How many transfers of a source the store had when it was read. */
    long loadedCount(FragmentId source) {
        return loaded.getOrDefault(source, 0L);
    }

    /** Forgets everything, before the store is read anew; answers of flights under way mean nothing any more. */
    void lose() {
        lines.clear();
        ready.clear();
        paused.clear();
        flights = 0;
    }

    /** A record has put a transfer into the outbox. */
    void queued(FragmentId source, Transfer transfer) {
        Line line = lines.computeIfAbsent(new OutboxLane(source, transfer.destinationId()), Line::new);
        if (line.waiting++ == 0) {
            line.from = transfer.number();
            ready.add(line);
        } else {
            line.from = Math.min(line.from, transfer.number());
        }
    }

    /** How many transfers wait in a lane, those under way too. */
    long waiting(OutboxLane lane) {
        Line line = lines.get(lane);
        return line == null ? 0 : line.waiting;
    }

    /** Sends on their way what waits, after a commit has made it durable. */
    void depart() {
        while (flights < FLIGHTS_MAX && !ready.isEmpty() && home != null) {
            Line line = ready.remove();
            if (shard.isDamaged(line.lane.source().entityId())) { // its transfers may be what cannot be read
                lines.remove(line.lane, line);
                continue;
            }
            List<Transfer> transfers = reader.transfers(line.lane, line.from, TRANSFERS_PER_FLIGHT, BYTES_PER_FLIGHT);
            if (transfers.isEmpty()) { // its source was deleted
                lines.remove(line.lane, line);
                continue;
            }
            line.inFlight = transfers;
            line.flight = ++lastFlight;
            flights++;
            Flight flight = new Flight(line.lane, line.flight, transfers, home);
            Mailbox destination = mailboxes.apply(line.lane.destinationId());
            if (destination == null) {
                flight.answer(0, Rejection.of(ErrorCode.ENTITY_NOT_FOUND));
            } else {
                destination.put(flight);
            }
        }
    }

    /** @param done how many of its transfers the destination has, all in order before a failure */
    private void landed(OutboxLane lane, long flight, int done, @Nullable Rejection failure) {
        Line line = lines.get(lane);
        if (line == null || line.flight != flight) {
            return; // from before the shard read its store again
        }
        flights--;
        line.flight = 0;
        EntitySlot source = shard.participant(lane.source().entityId());
        if (source == null) {
            lines.remove(lane);
            return;
        }
        List<Record> records = new ArrayList<>();
        for (Transfer transfer : line.inFlight.subList(0, done)) {
            records.add(TransferDecisions.done(transfer));
            if (transfer.origin() != null) {
                source.forwarded(transfer.message());
            }
        }
        boolean dead = failure != null && isForGood(source, line.inFlight.get(done), failure);
        if (dead && failure != null) {
            Transfer refused = line.inFlight.get(done);
            records.add(TransferDecisions.deadLettered(
                    refused, Failure.of(failure), Forwarder.target(source), shard.nowMs()));
        }
        if (!records.isEmpty()) {
            line.from = line.inFlight.get(records.size() - 1).number() + 1;
        }
        List<Transfer> inFlight = line.inFlight;
        line.inFlight = List.of();
        line.waiting -= records.size();
        if (dead) {
            Transfer refused = inFlight.get(done);
            if (refused.origin() != null && refused.origin().lane() == Lane.DEAD_LETTER) {
                records.add(shard.forwarder().deadLetters().returned(source, refused.number()));
            }
        }
        shard.changeInside(source, records);
        if (failure != null && !dead) {
            line.pauseMs = Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, line.pauseMs * 2));
            line.resumeAtMs = shard.nowMs() + line.pauseMs;
            paused.add(line);
        } else if (line.waiting > 0) {
            line.pauseMs = 0;
            ready.add(line);
        } else {
            lines.remove(lane);
        }
    }

    private static boolean isForGood(EntitySlot source, Transfer transfer, Rejection failure) {
        return transfer.origin() == null
                ? !failure.code().retryable()
                : transfer.origin().lane() == Lane.DEAD_LETTER
                                && !failure.code().retryable()
                        || !Forwarder.retries(source, failure);
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
        Line first = paused.peek();
        return first == null ? Long.MAX_VALUE : first.resumeAtMs;
    }

    /**
     * Some transfers of one lane on their way; the destination's shard opens it and answers once.
     *
     * @param home where the answer goes
     */
    record Flight(OutboxLane lane, long number, List<Transfer> transfers, Mailbox home) implements Mailbox.Letter {

        @Override
        public long messageBytes() {
            return transfers.stream().mapToLong(Transfer::sizeBytes).sum();
        }

        @Override
        public @Nullable Object lane(ShardWork destination) {
            return destination.participant(lane.destinationId()) instanceof TopicSlot ? lane : null;
        }

        @Override
        public void open(ShardWork destination) {
            destination.arrivals().take(this);
        }

        @Override
        public void refuse(Rejection reason) {
            answer(0, Rejection.of(ErrorCode.SERVER_BUSY));
        }

        /** @param done how many of the transfers the destination has, all in order before a failure */
        void answer(int done, @Nullable Rejection failure) {
            home.put(new Landing(lane, number, done, failure));
        }
    }

    /** The answer to a flight. */
    private record Landing(
            OutboxLane lane,
            long flight,
            int done,
            @Nullable Rejection failure) implements Mailbox.Letter {

        @Override
        public void open(ShardWork source) {
            source.outbox().landed(lane, flight, done, failure);
        }

        @Override
        public void refuse(Rejection reason) {
            // The shard reads its outbox again when it works again.
        }
    }
}
