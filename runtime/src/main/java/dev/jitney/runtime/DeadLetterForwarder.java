package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.Lane;
import dev.jitney.core.queue.Departure;
import dev.jitney.core.queue.ForwardDecisions;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.rows.StoreRowReader;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hands dead-letters of this shard's entities on to where they are forwarded (FWD-11, FWD-12): what the destination does not
 * take stays in the dead-letter queue, and all behind it, and is tried again after a pause.
 *
 * <p>A destination in another store is asked first whether it would take them. For the shard's thread.
 */
final class DeadLetterForwarder {
    /** Dead-letters another store is asked about at a time. */
    private static final int DEAD_LETTERS_PER_QUESTION = 64;

    private static final long PAUSE_MIN_MS = 250;
    private static final long PAUSE_MAX_MS = 30_000;

    private final ShardWork shard;
    private final Forwarder forwarder;
    private final StoreRowReader reader;
    private final PriorityQueue<EntitySlot> paused =
            new PriorityQueue<>(Comparator.comparingLong(slot -> slot.forwarding.resumeAtMs));

    private @Nullable Mailbox home;
    private long lastQuestion;

    DeadLetterForwarder(ShardWork shard, Forwarder forwarder, StoreRowReader reader) {
        this.shard = shard;
        this.forwarder = forwarder;
        this.reader = reader;
    }

    /** @param own the mailbox of this shard */
    void connect(Mailbox own) {
        home = own;
    }

    /** Forgets everything, before the store is read anew. */
    void lose() {
        paused.clear();
    }

    /** Whether dead-letters of the entity wait to be handed on, and may be now. */
    boolean hasWork(EntitySlot slot) {
        return slot.state.hasToForward(Lane.DEAD_LETTER) && slot.forwarding.resumeAtMs <= shard.nowMs();
    }

    /** Hands on dead-letters that wait in the entity; returns whether there may be more to do at once. */
    boolean pump(EntitySlot slot) {
        boolean searching = slot.state.fill(Lane.DEAD_LETTER, reader);
        return handOn(slot) || searching;
    }

    private boolean handOn(EntitySlot slot) {
        String named = slot.state.description().forwardDeadLetteredMessagesTo();
        List<Departure> departures =
                ForwardDecisions.waiting(slot.state, Lane.DEAD_LETTER, shard.situation(), DEAD_LETTERS_PER_QUESTION);
        if (departures.isEmpty()) {
            return false;
        }
        Forwarder.Route route = Forwarder.route(slot, named, departures.get(0));
        ServedEntity destination = route.destination();
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
                    || Forwarder.refusal(slot, departure) != null
                    || !(far ? departs(slot, departure, destination) : takes(slot, departure, destination))) {
                break;
            }
            taken++;
        }
        if (taken > 0) {
            slot.forwarding.pauseMs = 0;
        } else if (far && destination != null && home != null && Forwarder.refusal(slot, departures.get(0)) == null) {
            ask(slot, departures, destination, home);
        } else {
            pause(slot);
        }
        return taken > 0;
    }

    private boolean takes(EntitySlot source, Departure departure, ServedEntity destination) {
        return forwarder.isNear(source, destination) && forwarder.deliver(source, departure, destination) == null;
    }

    /** Puts a dead-letter into the outbox if the destination in another store would take it. */
    private boolean departs(EntitySlot source, Departure departure, ServedEntity destination) {
        if (!source.forwarding.welcome.remove(departure.origin().sequenceNumber())) {
            return false;
        }
        forwarder.keep(source, departure, destination, null);
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
            Set<Long> welcome = new HashSet<>();
            try {
                findWelcome(destination, welcome);
            } finally { // also if the store cannot be read: who asks waits for an answer
                home.put(new Answer(sourceId, number, welcome));
            }
        }

        private void findWelcome(ShardWork destination, Set<Long> welcome) {
            EntitySlot slot = destination.participant(destinationId);
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
            source.forwarder().deadLetters().answered(sourceId, question, welcome);
        }

        @Override
        public void refuse(Rejection reason) {
            // The shard starts anew and asks again.
        }
    }

    /** Has the dead-letters of an entity wait before they are tried again. */
    void pause(EntitySlot slot) {
        ForwardingNotes notes = slot.forwarding;
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
}
