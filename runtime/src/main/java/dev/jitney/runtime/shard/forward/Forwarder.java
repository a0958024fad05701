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
import dev.jitney.model.ErrorCode;
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
 * Hands messages of this shard's entities on to where they are forwarded (semantics chapter 9).
 *
 * <p>A destination in the same store takes a message in the very batch that takes it from its source, so that a chain of
 * them costs hardly more than one of them. What goes to another store, or has to come after something that waits for it
 * already, or would make the turn too large, goes by way of the {@link Outbox}. Either way no message is lost and none
 * arrives twice, whatever crashes (FWD-8).
 *
 * <p>For the shard's thread.
 */
public final class Forwarder implements ForwardingSink {
    /** What all transfers of a turn may bring about in their destinations; the others go through the outbox. */
    private static final int RECORDS_PER_TURN = 50_000;

    private static final int MESSAGES_PER_STEP = 256;

    private final ShardContext context;
    private final RecordApplier applier;
    private final StoreRowReader reader;
    private final Outbox outbox;
    private final Inbox inbox;
    private final DeadLetterForwarder deadLetters;

    /** Handed on, but not yet taken anywhere; empty between two tasks and before a commit. */
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
     * Makes known where messages go, before the shard runs.
     *
     * @param all the forwarder of the shard that keeps an entity, null for numbers of no shard
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
     * Finds out which transfers the store has.
     *
     * @param damage hears of rows that cannot be read
     */
    public void load(Consumer<StoreFault> damage) {
        outbox.load(damage);
    }

    /** How many transfers of a source the store had when it was read. */
    public long loadedCount(FragmentId source) {
        return outbox.loadedCount(source);
    }

    /** A turn begins. */
    public void startTurn() {
        room = RECORDS_PER_TURN;
    }

    /** The shard's memory is lost; answers to batches under way mean nothing any more. */
    public void lose() {
        outbox.lose();
        inbox.lose();
        passing.clear();
        deadLetters.lose();
    }

    /** Forgets which transfers wait, before the store is read anew. */
    public void loseTransfers() {
        outbox.lose();
    }

    /** The commit has succeeded: sends on their way what waits. */
    public void committed() {
        inbox.settle();
        outbox.depart();
    }

    /** Goes on with what waited for a time; returns whether there was something. */
    public boolean runTimers(long nowMs) {
        boolean worked = outbox.runTimers(nowMs);
        worked |= deadLetters.runTimers(nowMs);
        return worked;
    }

    /** When there is something to do next, {@link Long#MAX_VALUE} if never. */
    public long nextTimerMs() {
        return Math.min(outbox.nextTimerMs(), deadLetters.nextTimerMs());
    }

    @Override
    public void queued(FragmentId source, Transfer transfer) {
        outbox.queued(source, transfer);
    }

    /** An entity has handed a message on; {@link #run} brings it to its destination. */
    @Override
    public void passed(EntityInShard source, Record.MessagePassed message) {
        passing.add(new Passing(source, ForwardDecisions.passed(message)));
    }

    /** Brings everything that was handed on to its destination, and from there on if need be. */
    public void run() {
        for (Passing next = passing.poll(); next != null; next = passing.poll()) {
            handOn(next.source, next.source.state().description().forwardTo(), next.forwarded);
        }
    }

    /** Puts into the outbox what was handed on, because a commit comes in between; reads nothing. */
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
     * Hands on messages that wait in the entity: which were there before it was to forward, which it could not forward for
     * a while, and dead-letters.
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

    /** Whether the destination can take a message in this very batch. */
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

    /** Why the destination does not take it, or null if it has. */
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

    /** Puts a message into the outbox, or among the dead-letters if there is a failure. */
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

    /** Where a message goes, or why it goes nowhere: exactly one of the two. */
    record Route(
            @Nullable HostedEntity destination, @Nullable Failure failure) {}

    /** Finds the queue or topic of that name, of a partitioned one the fragment for the message (PART-54). */
    static Route route(EntityInShard source, @Nullable String named, ForwardedMessage forwarded) {
        HostedEntity found = named == null
                ? null
                : source.entity().sibling(source.forwarding().path(named));
        if (found == null || !isThere(source, found) || found instanceof HostedSubscription) {
            return new Route(null, gone(named));
        }
        if (!found.hasFragments()) {
            return new Route(found, null);
        }
        HostedEntity.SendTarget target = found.destination(List.of(forwarded.message()));
        return target.refusal() == null
                ? new Route(target.entity(), null)
                : new Route(null, Failure.of(target.refusal()));
    }

    /**
     * Whether messages can go to it. What another store has not made durable may never be there, and something else get its
     * number; and nobody would read what came to a partitioned entity itself, before its fragments are known.
     */
    private static boolean isThere(EntityInShard source, HostedEntity found) {
        return found.isKnown()
                || (found.mailbox() == source.entity().mailbox() && !EntityRules.isPartitioned(found.description()));
    }

    private static Failure gone(@Nullable String forwardTo) {
        return Failure.of(new Rejection(
                ErrorCode.ENTITY_NOT_FOUND,
                "The auto forwarding destination entity" + (forwardTo == null ? "" : " '" + forwardTo + "'")
                        + " was not found."));
    }
}
