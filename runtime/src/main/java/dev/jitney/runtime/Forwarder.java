package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
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
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowReader.OutboxLane;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
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
final class Forwarder {
    /** What all transfers of a turn may bring about in their destinations; the others go through the outbox. */
    private static final int RECORDS_PER_TURN = 50_000;

    private static final int MESSAGES_PER_STEP = 256;

    private final ShardWork shard;
    private final StoreRowReader reader;
    private final Outbox outbox;
    private final DeadLetterForwarder deadLetters;

    /** Handed on, but not yet taken anywhere; empty between two letters and before a commit. */
    private final ArrayDeque<Passing> passing = new ArrayDeque<>();

    private int room = RECORDS_PER_TURN;

    private record Passing(EntitySlot source, ForwardedMessage departure) {}

    Forwarder(ShardWork shard, StoreRowReader reader, Outbox outbox) {
        this.shard = shard;
        this.reader = reader;
        this.outbox = outbox;
        this.deadLetters = new DeadLetterForwarder(shard, this, reader);
    }

    /** What hands dead-letters on. */
    DeadLetterForwarder deadLetters() {
        return deadLetters;
    }

    /** A turn begins. */
    void startTurn() {
        room = RECORDS_PER_TURN;
    }

    /** Forgets everything, before the store is read anew. */
    void lose() {
        passing.clear();
        deadLetters.lose();
    }

    /** An entity has handed a message on; {@link #run} brings it to its destination. */
    void passed(EntitySlot source, Record.MessagePassed message) {
        passing.add(new Passing(source, ForwardDecisions.passed(message)));
    }

    /** Brings everything that was handed on to its destination, and from there on if need be. */
    void run() {
        for (Passing next = passing.poll(); next != null; next = passing.poll()) {
            handOn(next.source, next.source.state.description().forwardTo(), next.departure);
        }
    }

    /** Puts into the outbox what was handed on, because a commit comes in between; reads nothing. */
    void park() {
        for (Passing next = passing.poll(); next != null; next = passing.poll()) {
            String forwardTo = next.source.state.description().forwardTo();
            Route route = route(next.source, forwardTo, next.departure);
            Failure failure = route.failure != null ? route.failure : refusal(next.source, next.departure);
            keep(next.source, next.departure, route.destination, failure);
        }
    }

    /** Whether messages of the entity wait to be handed on, and may be now. */
    boolean hasWork(EntitySlot slot) {
        return slot.state.hasToForward(Lane.MAIN) || deadLetters.hasWork(slot);
    }

    /**
     * Hands on messages that wait in the entity: which were there before it was to forward, which it could not forward for
     * a while, and dead-letters.
     *
     * @return whether there may be more to do at once
     */
    boolean pump(EntitySlot slot) {
        boolean worked = false;
        if (slot.state.hasToForward(Lane.MAIN) && shard.situation().storeAcceptsGrowth()) {
            worked = slot.state.fill(Lane.MAIN, reader);
            String forwardTo = slot.state.description().forwardTo();
            for (ForwardedMessage departure :
                    ForwardDecisions.waiting(slot.state, Lane.MAIN, shard.situation(), MESSAGES_PER_STEP)) {
                handOn(slot, forwardTo, departure);
                worked = true;
            }
        }
        if (deadLetters.hasWork(slot) && shard.situation().storeAcceptsGrowth()) {
            worked |= deadLetters.pump(slot);
        }
        return worked;
    }

    private void handOn(EntitySlot source, @Nullable String forwardTo, ForwardedMessage departure) {
        Route route = route(source, forwardTo, departure);
        ServedEntity destination = route.destination;
        Failure failure = route.failure != null ? route.failure : refusal(source, departure);
        if (failure == null && destination != null && isNear(source, destination)) {
            Rejection refused = deliver(source, departure, destination);
            if (refused == null) {
                return;
            }
            failure = retries(source, refused) ? null : Failure.of(refused);
        }
        keep(source, departure, destination, failure);
    }

    /** Whether the destination can take a message in this very batch. */
    boolean isNear(EntitySlot source, ServedEntity destination) {
        EntitySlot slot = shard.participant(destination.id());
        return room > 0
                && slot != null
                && !(slot instanceof TopicSlot && shard.steps().isSpent())
                && shard.situation().storeAcceptsGrowth()
                && outbox.waiting(lane(source, destination)) == 0;
    }

    private static OutboxLane lane(EntitySlot source, ServedEntity destination) {
        return new OutboxLane(source.state.id(), destination.id());
    }

    /** Why the destination does not take it, or null if it has. */
    @Nullable
    Rejection deliver(EntitySlot source, ForwardedMessage departure, ServedEntity destination) {
        EntitySlot slot = shard.participant(destination.id());
        Rejection refused = slot == null ? shard.missing(destination.id()) : destination.unservedSends();
        if (slot == null || refused != null) {
            return refused;
        }
        List<IncomingMessage> messages = List.of(departure.message());
        FanOut publication = slot.send(new Command.SendMessages(messages), shard.situation());
        if (publication.rejection() != null) {
            return publication.rejection();
        }
        if (departure.removal() != null) {
            shard.changeInside(source, List.of(departure.removal()));
        }
        shard.use(TransactionDecider.Step.sending(slot, messages, publication));
        room -= publication.records().size() + publication.copies().size();
        source.forwarded(departure.message());
        return null;
    }

    /** Puts a message into the outbox, or among the dead-letters if there is a failure. */
    void keep(
            EntitySlot source,
            ForwardedMessage departure,
            @Nullable ServedEntity destination,
            @Nullable Failure failure) {
        List<Record> records = new ArrayList<>(2);
        if (departure.removal() != null) {
            records.add(departure.removal());
        }
        if (failure != null || destination == null) {
            Failure why = failure == null ? gone(null) : failure;
            records.add(TransferDecisions.refused(departure, why, target(source)));
        } else {
            records.add(TransferDecisions.queue(source.state.lastSequenceNumber(), destination.id(), departure));
        }
        shard.changeInside(source, records);
    }

    /** What keeps the source from handing it on at all. */
    static @Nullable Failure refusal(EntitySlot source, ForwardedMessage departure) {
        if (departure.isTooFar()) {
            return Failure.TOO_MANY_HOPS;
        }
        return departure.message().headerSizeBytes() > source.state.limits().maxHeaderSizeBytes()
                ? Failure.HEADER_TOO_LARGE
                : null;
    }

    /** Whether a refusal is only for now (DLQ-32). */
    static boolean retries(EntitySlot source, Rejection refusal) {
        return refusal.code().retryable()
                || (target(source) == TransferFailureTarget.DLQ && refusal.code() == ErrorCode.QUOTA_EXCEEDED);
    }

    static TransferFailureTarget target(EntitySlot source) {
        return source.entity.namespaceOptions().transferFailureTarget();
    }

    /** Where a message goes, or why it goes nowhere: exactly one of the two. */
    record Route(
            @Nullable ServedEntity destination, @Nullable Failure failure) {}

    /** Finds the queue or topic of that name, of a partitioned one the fragment for the message (PART-54). */
    static Route route(EntitySlot source, @Nullable String named, ForwardedMessage departure) {
        ServedEntity found = named == null ? null : source.entity.namespace().named(source.forwarding.path(named));
        if (found == null || !isThere(source, found) || found instanceof ServedSubscription) {
            return new Route(null, gone(named));
        }
        Fragments fragments = found.fragments();
        if (fragments == null) {
            return new Route(found, null);
        }
        FragmentSends.Route part = fragments.sends().destination(List.of(departure.message()));
        return part.refusal() == null ? new Route(part.part(), null) : new Route(null, Failure.of(part.refusal()));
    }

    /**
     * Whether messages can go to it. What another store has not made durable may never be there, and something else get its
     * number; and nobody would read what came to a partitioned entity itself, before its fragments are known.
     */
    private static boolean isThere(EntitySlot source, ServedEntity found) {
        return found.isKnown()
                || (found.shard() == source.entity.shard() && !EntityRules.isPartitioned(found.description()));
    }

    private static Failure gone(@Nullable String forwardTo) {
        return Failure.of(new Rejection(
                ErrorCode.ENTITY_NOT_FOUND,
                "The auto forwarding destination entity" + (forwardTo == null ? "" : " '" + forwardTo + "'")
                        + " was not found."));
    }
}
