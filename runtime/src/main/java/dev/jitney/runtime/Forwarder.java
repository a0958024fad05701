package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.queue.Departure;
import dev.jitney.core.queue.ForwardDecisions;
import dev.jitney.core.queue.TransferDecisions;
import dev.jitney.core.queue.TransferDecisions.Failure;
import dev.jitney.core.topic.Publication;
import dev.jitney.core.transaction.TransactionDecider;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowReader.OutboxLane;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
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

    /** Dead-letters another store is asked about at a time. */
    private static final int DEAD_LETTERS_PER_QUESTION = 64;

    private static final long PAUSE_MIN_MS = 250;
    private static final long PAUSE_MAX_MS = 30_000;

    private final ShardWork shard;
    private final StoreRowReader reader;
    private final Outbox outbox;

    /** Handed on, but not yet taken anywhere; empty between two letters and before a commit. */
    private final ArrayDeque<Passing> passing = new ArrayDeque<>();

    private final PriorityQueue<EntitySlot> paused =
            new PriorityQueue<>(Comparator.comparingLong(slot -> slot.forwarding.resumeAtMs));
    private int room = RECORDS_PER_TURN;
    private @Nullable Mailbox home;
    private long lastQuestion;

    private record Passing(EntitySlot source, Departure departure) {}

    /** The forwarder's notes about an entity. */
    static final class Notes {
        private @Nullable String destination;
        private String destinationPath = "";

        /** How long its dead-letters wait before they are tried again, 0 if they do not wait. */
        private long pauseMs;

        private long resumeAtMs;

        /** The question another store has not answered yet, 0 if there is none. */
        private long question;

        /** Numbers of dead-letters that the destination in another store would take. */
        private Set<Long> welcome = new HashSet<>();

        /** The path of an entity as a description names it, which may be an address. */
        private String path(String named) {
            if (!named.equals(destination)) {
                destination = named;
                destinationPath = EntityAddress.parse(named.contains("://") ? named : "/" + named)
                        .path();
            }
            return destinationPath;
        }
    }

    Forwarder(ShardWork shard, StoreRowReader reader, Outbox outbox) {
        this.shard = shard;
        this.reader = reader;
        this.outbox = outbox;
    }

    /** @param own the mailbox of this shard */
    void connect(Mailbox own) {
        home = own;
    }

    /** A turn begins. */
    void startTurn() {
        room = RECORDS_PER_TURN;
    }

    /** Forgets everything, before the store is read anew. */
    void lose() {
        passing.clear();
        paused.clear();
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
        return slot.state.hasToForward(Lane.MAIN)
                || (slot.state.hasToForward(Lane.DEAD_LETTER) && slot.forwarding.resumeAtMs <= shard.nowMs());
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
            for (Departure departure :
                    ForwardDecisions.waiting(slot.state, Lane.MAIN, shard.situation(), MESSAGES_PER_STEP)) {
                handOn(slot, forwardTo, departure);
                worked = true;
            }
        }
        if (slot.state.hasToForward(Lane.DEAD_LETTER)
                && slot.forwarding.resumeAtMs <= shard.nowMs()
                && shard.situation().storeAcceptsGrowth()) {
            worked |= slot.state.fill(Lane.DEAD_LETTER, reader);
            worked |= pumpDeadLetters(slot);
        }
        return worked;
    }

    /** FWD-11, FWD-12: what the destination does not take stays where it is, and all behind it. */
    private boolean pumpDeadLetters(EntitySlot slot) {
        String named = slot.state.description().forwardDeadLetteredMessagesTo();
        List<Departure> departures =
                ForwardDecisions.waiting(slot.state, Lane.DEAD_LETTER, shard.situation(), DEAD_LETTERS_PER_QUESTION);
        if (departures.isEmpty()) {
            return false;
        }
        Route route = route(slot, named, departures.get(0));
        ServedEntity destination = route.destination;
        if (destination != null && destination.whole() != null) {
            departures = departures.subList(0, 1); // the next one may belong to another fragment
        }
        boolean far = destination != null && destination.shard().mailbox() != home;
        if (far && slot.forwarding.question != 0) {
            return false;
        }
        int taken = 0;
        for (Departure departure : departures) {
            if (destination == null
                    || refusal(slot, departure) != null
                    || !(far ? departs(slot, departure, destination) : takes(slot, departure, destination))) {
                break;
            }
            taken++;
        }
        if (taken > 0) {
            slot.forwarding.pauseMs = 0;
        } else if (far && destination != null && home != null && refusal(slot, departures.get(0)) == null) {
            ask(slot, departures, destination, home);
        } else {
            pause(slot);
        }
        return taken > 0;
    }

    private boolean takes(EntitySlot source, Departure departure, ServedEntity destination) {
        return isNear(source, destination) && deliver(source, departure, destination) == null;
    }

    /** Puts a dead-letter into the outbox if the destination in another store would take it. */
    private boolean departs(EntitySlot source, Departure departure, ServedEntity destination) {
        if (!source.forwarding.welcome.remove(departure.origin().sequenceNumber())) {
            return false;
        }
        keep(source, departure, destination, null);
        return true;
    }

    /**
     * Asks a destination in another store whether it would take dead-letters, so that they leave the dead-letter queue only
     * if it would. If it changes its mind before they come, the outbox brings them back.
     */
    private void ask(EntitySlot slot, List<Departure> departures, ServedEntity destination, Mailbox answerTo) {
        slot.forwarding.question = ++lastQuestion;
        destination
                .shard()
                .mailbox()
                .put(new Question(slot.entity.id(), destination.id(), lastQuestion, departures, answerTo));
    }

    private void answered(long sourceId, long question, Set<Long> welcome) {
        EntitySlot slot = shard.participant(sourceId);
        if (slot != null && slot.forwarding.question == question) {
            slot.forwarding.question = 0;
            slot.forwarding.welcome = new HashSet<>(welcome);
            if (welcome.isEmpty()) {
                pause(slot);
            } else {
                shard.wakeReceivers(slot);
            }
        }
    }

    /** Whether a destination would take dead-letters; its shard answers at once, because nothing is stored. */
    private record Question(long sourceId, long destinationId, long number, List<Departure> departures, Mailbox home)
            implements Mailbox.Letter {

        @Override
        public void open(ShardWork destination) {
            EntitySlot slot = destination.participant(destinationId);
            Set<Long> welcome = new HashSet<>();
            if (slot != null
                    && slot.entity.unservedSends() == null
                    && destination.situation().storeAcceptsGrowth()) {
                for (Departure departure : departures) {
                    Command.SendMessages send = new Command.SendMessages(List.of(departure.message()));
                    if (slot.send(send, destination.situation()).rejection() != null) {
                        break;
                    }
                    welcome.add(departure.origin().sequenceNumber());
                }
            }
            home.put(new Answer(sourceId, number, welcome));
        }

        @Override
        public void refuse(Rejection reason) {
            home.put(new Answer(sourceId, number, Set.of()));
        }
    }

    /** The answer to a question. */
    private record Answer(long sourceId, long question, Set<Long> welcome) implements Mailbox.Letter {

        @Override
        public void open(ShardWork source) {
            source.forwarder().answered(sourceId, question, welcome);
        }

        @Override
        public void refuse(Rejection reason) {
            // The shard starts anew and asks again.
        }
    }

    /** Has the dead-letters of an entity wait before they are tried again. */
    void pause(EntitySlot slot) {
        Notes notes = slot.forwarding;
        paused.remove(slot);
        notes.pauseMs = Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, notes.pauseMs * 2));
        notes.resumeAtMs = shard.nowMs() + notes.pauseMs;
        paused.add(slot);
    }

    /** Goes on with entities whose pause is over; returns whether there were some. */
    boolean runTimers(long nowMs) {
        boolean worked = false;
        while (nextTimerMs() <= nowMs) {
            shard.wakeReceivers(paused.remove());
            worked = true;
        }
        return worked;
    }

    /** When the next pause is over, {@link Long#MAX_VALUE} if none is. */
    long nextTimerMs() {
        EntitySlot first = paused.peek();
        return first == null ? Long.MAX_VALUE : first.forwarding.resumeAtMs;
    }

    private void handOn(EntitySlot source, @Nullable String forwardTo, Departure departure) {
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
    private boolean isNear(EntitySlot source, ServedEntity destination) {
        return room > 0
                && shard.participant(destination.id()) != null
                && shard.situation().storeAcceptsGrowth()
                && outbox.waiting(lane(source, destination)) == 0;
    }

    private static OutboxLane lane(EntitySlot source, ServedEntity destination) {
        return new OutboxLane(source.state.id(), destination.id());
    }

    /** Why the destination does not take it, or null if it has. */
    private @Nullable Rejection deliver(EntitySlot source, Departure departure, ServedEntity destination) {
        EntitySlot slot = shard.participant(destination.id());
        Rejection refused = slot == null ? Rejection.of(ErrorCode.ENTITY_NOT_FOUND) : destination.unservedSends();
        if (slot == null || refused != null) {
            return refused;
        }
        List<IncomingMessage> messages = List.of(departure.message());
        Publication publication = slot.send(new Command.SendMessages(messages), shard.situation());
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
    private void keep(
            EntitySlot source, Departure departure, @Nullable ServedEntity destination, @Nullable Failure failure) {
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
    private static @Nullable Failure refusal(EntitySlot source, Departure departure) {
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
    private record Route(
            @Nullable ServedEntity destination, @Nullable Failure failure) {}

    /** Finds the queue or topic of that name, of a partitioned one the fragment for the message (PART-54). */
    private static Route route(EntitySlot source, @Nullable String named, Departure departure) {
        ServedEntity found = named == null ? null : source.entity.namespace().named(source.forwarding.path(named));
        if (found == null || found instanceof ServedSubscription) {
            return new Route(null, gone(named));
        }
        Fragments fragments = found.fragments();
        if (fragments == null || !found.isKnown()) {
            return new Route(found, null);
        }
        FragmentSends.Route part = fragments.sends().destination(List.of(departure.message()));
        return part.refusal() == null ? new Route(part.part(), null) : new Route(null, Failure.of(part.refusal()));
    }

    private static Failure gone(@Nullable String forwardTo) {
        return Failure.of(new Rejection(
                ErrorCode.ENTITY_NOT_FOUND,
                "The auto forwarding destination entity" + (forwardTo == null ? "" : " '" + forwardTo + "'")
                        + " was not found."));
    }
}
