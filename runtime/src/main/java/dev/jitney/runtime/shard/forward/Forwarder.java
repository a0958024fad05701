package dev.jitney.runtime.shard.forward;

import dev.jitney.core.Command;
import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.Transfer;
import dev.jitney.core.namespace.EntityRules;
import dev.jitney.core.queue.ForwardedMessage;
import dev.jitney.core.queue.decide.ForwardDecisions;
import dev.jitney.core.queue.decide.TransferDecisions;
import dev.jitney.core.queue.decide.TransferDecisions.Failure;
import dev.jitney.core.topic.FanOut;
import dev.jitney.core.transaction.decide.TransactionDecider;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.rows.StoreFault;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowReader.OutboxLane;
import dev.jitney.runtime.rows.StoreRowWriter;
import dev.jitney.runtime.shard.entity.EntityInShard;
import dev.jitney.runtime.shard.entity.ForwardingSink;
import dev.jitney.runtime.shard.entity.HostedEntity;
import dev.jitney.runtime.shard.entity.HostedSubscription;
import dev.jitney.runtime.shard.entity.RecordApplier;
import dev.jitney.runtime.shard.entity.ShardContext;
import dev.jitney.runtime.shard.entity.TopicInShard;
import dev.jitney.runtime.shard.turn.Effects;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Forwards messages of this shard's entities to their destinations (semantics chapter 9).
 *
 * <p>If source and destination are in the same store, one batch removes the message from the source and adds it to the
 * destination. So a chain of destinations costs hardly more than one. A message goes through the {@link Outbox} if its
 * destination is in another store, if earlier messages wait there, or if it would make the turn too large. Either way
 * no message is lost and none arrives twice, even after a crash (FWD-8).
 *
 * <p>For the shard's thread.
 */
public final class Forwarder implements ForwardingSink {
    /**
     * The limit of records that the transfers of a turn may cause at their destinations; further messages go through
     * the outbox.
     */
    private static final int RECORDS_PER_TURN = 50_000;

    private static final int MESSAGES_PER_STEP = 256;

    private final ShardContext context;
    private final RecordApplier applier;
    private final StoreRowReader reader;
    private final Outbox outbox;
    private final Inbox inbox;
    private final DeadLetterForwarder deadLetters;

    /** Forwarded messages that have not reached a destination; empty between two tasks and before a commit. */
    private final ArrayDeque<Passing> passing = new ArrayDeque<>();

    private int room = RECORDS_PER_TURN;

    private record Passing(EntityInShard source, ForwardedMessage forwarded) {}

    public Forwarder(
            ShardContext context,
            RecordApplier applier,
            Effects effects,
            StoreRowReader reader,
            StoreRowWriter writer) {
        this.context = context;
        this.applier = applier;
        this.reader = reader;
        this.outbox = new Outbox(context, applier, reader);
        this.inbox = new Inbox(context, applier, effects, reader, writer);
        this.deadLetters = new DeadLetterForwarder(context, applier, this, reader);
        outbox.onReturn(deadLetters::returned);
    }

    /**
     * Connects this forwarder to those of other shards, before the shard runs.
     *
     * @param all returns the forwarder of the shard that hosts an entity, or null for an unknown number
     */
    public void connect(LongFunction<@Nullable Forwarder> all) {
        LongFunction<@Nullable Inbox> inboxes = entityId -> {
            Forwarder there = all.apply(entityId);
            return there == null ? null : there.inbox;
        };
        outbox.connect(inboxes);
        deadLetters.connect(inboxes);
    }

    /**
     * Loads the stored transfers.
     *
     * @param damage called for rows that cannot be read
     */
    public void load(Consumer<StoreFault> damage) {
        outbox.load(damage);
    }

    /** Returns how many transfers of a source were stored when the store was read. */
    public long loadedCount(FragmentId source) {
        return outbox.loadedCount(source);
    }

    /** Begins a turn. */
    public void startTurn() {
        room = RECORDS_PER_TURN;
    }

    /** Drops all state, because the state in memory is lost. Later answers to batches in flight are ignored. */
    public void lose() {
        outbox.lose();
        inbox.lose();
        passing.clear();
        deadLetters.lose();
    }

    /** Drops the waiting transfers before the store is reloaded. */
    public void loseTransfers() {
        outbox.lose();
    }

    /** Handles a successful commit: sends the waiting transfers. */
    public void committed() {
        inbox.settle();
        outbox.depart();
    }

    /** Continues with work whose pause has ended. Returns whether there was any. */
    public boolean runTimers(long nowMs) {
        boolean worked = outbox.runTimers(nowMs);
        worked |= deadLetters.runTimers(nowMs);
        return worked;
    }

    /** Returns the time of the next work, or {@link Long#MAX_VALUE}. */
    public long nextTimerMs() {
        return Math.min(outbox.nextTimerMs(), deadLetters.nextTimerMs());
    }

    @Override
    public void queued(FragmentId source, Transfer transfer) {
        outbox.queued(source, transfer);
    }

    /** Accepts a forwarded message; {@link #run} moves it to its destination. */
    @Override
    public void passed(EntityInShard source, Record.MessagePassed message) {
        passing.add(new Passing(source, ForwardDecisions.passed(message)));
    }

    /** Moves all forwarded messages to their destinations, and through further ones if those forward too. */
    public void run() {
        for (Passing next = passing.poll(); next != null; next = passing.poll()) {
            handOn(next.source, next.source.state().description().forwardTo(), next.forwarded);
        }
    }

    /** Puts forwarded messages into the outbox, because a commit comes in between. Reads nothing. */
    public void park() {
        for (Passing next = passing.poll(); next != null; next = passing.poll()) {
            String forwardTo = next.source.state().description().forwardTo();
            Route route = route(next.source, forwardTo, next.forwarded);
            Failure failure =
                    route.failure != null ? route.failure : ForwardingRules.refusal(next.source, next.forwarded);
            keep(next.source, next.forwarded, route.destination, failure);
        }
    }

    @Override
    public boolean hasWork(EntityInShard inShard) {
        return inShard.state().hasToForward(Lane.MAIN) || deadLetters.hasWork(inShard);
    }

    /**
     * Forwards messages that wait in the entity: messages from before forwarding was configured, messages that could
     * not be forwarded for a while, and dead-letters.
     *
     * @return whether there may be more to do at once
     */
    public boolean pump(EntityInShard inShard) {
        boolean worked = false;
        if (inShard.state().hasToForward(Lane.MAIN) && context.acceptsGrowth()) {
            worked = inShard.state().fill(Lane.MAIN, reader);
            String forwardTo = inShard.state().description().forwardTo();
            for (ForwardedMessage forwarded :
                    ForwardDecisions.waiting(inShard.state(), Lane.MAIN, context.situation(), MESSAGES_PER_STEP)) {
                handOn(inShard, forwardTo, forwarded);
                worked = true;
            }
        }
        if (deadLetters.hasWork(inShard) && context.acceptsGrowth()) {
            worked |= deadLetters.pump(inShard);
        }
        return worked;
    }

    private void handOn(EntityInShard source, @Nullable String forwardTo, ForwardedMessage forwarded) {
        Route route = route(source, forwardTo, forwarded);
        HostedEntity destination = route.destination;
        Failure failure = route.failure != null ? route.failure : ForwardingRules.refusal(source, forwarded);
        if (failure == null && destination != null && isNear(source, destination)) {
            Rejection refused = deliver(source, forwarded, destination);
            if (refused == null) {
                return;
            }
            failure = ForwardingRules.retries(source, refused) ? null : Failure.of(refused);
        }
        keep(source, forwarded, destination, failure);
    }

    /** Returns whether the destination can accept a message in the current batch. */
    boolean isNear(EntityInShard source, HostedEntity destination) {
        EntityInShard inShard = context.find(destination.id());
        return room > 0
                && inShard != null
                && !(inShard instanceof TopicInShard && context.steps().isSpent())
                && context.acceptsGrowth()
                && outbox.waiting(lane(source, destination)) == 0;
    }

    private static OutboxLane lane(EntityInShard source, HostedEntity destination) {
        return new OutboxLane(source.state().id(), destination.id());
    }

    /**
     * Delivers a message to a destination in the current batch. Returns the refusal, or null if the destination has
     * accepted it.
     */
    @Nullable
    Rejection deliver(EntityInShard source, ForwardedMessage forwarded, HostedEntity destination) {
        EntityInShard inShard = context.find(destination.id());
        Rejection refused = inShard == null ? context.missing(destination.id()) : destination.unservedSends();
        if (inShard == null || refused != null) {
            return refused;
        }
        List<IncomingMessage> messages = List.of(forwarded.message());
        FanOut publication = inShard.send(new Command.SendMessages(messages), context.situation());
        if (publication.rejection() != null) {
            return publication.rejection();
        }
        if (forwarded.removal() != null) {
            applier.changeInside(source, List.of(forwarded.removal()));
        }
        applier.use(TransactionDecider.Step.sending(inShard, messages, publication));
        room -= publication.records().size() + publication.copies().size();
        source.forwarded(forwarded.message());
        return null;
    }

    /** Puts a message into the outbox, or dead-letters it if there is a failure. */
    void keep(
            EntityInShard source,
            ForwardedMessage forwarded,
            @Nullable HostedEntity destination,
            @Nullable Failure failure) {
        List<Record> records = new ArrayList<>(2);
        if (forwarded.removal() != null) {
            records.add(forwarded.removal());
        }
        if (failure != null || destination == null) {
            Failure why = failure == null ? gone(null) : failure;
            records.add(TransferDecisions.refused(forwarded, why, ForwardingRules.target(source)));
        } else {
            records.add(TransferDecisions.queue(source.state().lastSequenceNumber(), destination.id(), forwarded));
        }
        applier.changeInside(source, records);
    }

    /** The route of a message: either a destination or a failure. */
    record Route(
            @Nullable HostedEntity destination, @Nullable Failure failure) {}

    /**
     * Returns the route to the queue or topic of a name. For a partitioned entity, this is the route to the fragment
     * for the message (PART-54).
     */
    static Route route(EntityInShard source, @Nullable String named, ForwardedMessage forwarded) {
        HostedEntity found = named == null
                ? null
                : source.entity().sibling(source.forwarding().path(named));
        if (found == null || !isThere(source, found) || found instanceof HostedSubscription) {
            return new Route(null, gone(named));
        }
        if (!found.isPartitioned()) {
            return new Route(found, null);
        }
        HostedEntity.SendTarget target = found.destination(List.of(forwarded.message()));
        return target.refusal() == null
                ? new Route(target.entity(), null)
                : new Route(null, Failure.of(target.refusal()));
    }

    /**
     * Returns whether messages can be sent to an entity. If its creation in another store is not durable, it may never
     * exist and its number may be reused. A partitioned entity itself has no receivers, so messages must wait until its
     * fragments are known.
     */
    private static boolean isThere(EntityInShard source, HostedEntity found) {
        return found.isKnown()
                || (found.mailbox() == source.entity().mailbox() && !EntityRules.isPartitioned(found.description()));
    }

    private static Failure gone(@Nullable String forwardTo) {
        return Failure.of(ForwardingRules.gone(forwardTo));
    }
}
