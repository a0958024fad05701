package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.queue.ForwardedMessage;
import dev.jitney.core.queue.decide.ForwardDecisions;
import dev.jitney.core.queue.decide.ForwardDecisions.PassedBy;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.rows.StoreRowReader;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hands dead-letters of this shard's entities on to where they are forwarded (FWD-11, FWD-12). What the destination does not
 * take stays in the dead-letter queue. A destination that takes nothing is left alone for a pause, and all wait in order; a
 * dead-letter that is refused for what it is itself is passed by, those behind it go on, and it is tried again later.
 *
 * <p>A destination in another store is asked first which ones it would take. For the shard's thread.
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
            new PriorityQueue<>(Comparator.comparingLong(slot -> slot.forwarding.wakeAtMs));

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

    /** What became of an attempt to hand on a dead-letter. */
    private enum Attempt {
        /** It has left the dead-letter queue. */
        TAKEN,
        /** It stays, and those behind it go on. */
        PASSED_BY,
        /** Its destination in another store is to be asked. */
        TO_ASK,
        /** The destination takes nothing for now. */
        STOPPED
    }

    /** Whether dead-letters of the entity wait to be handed on, and may be now. */
    boolean hasWork(EntitySlot slot) {
        ForwardingNotes notes = slot.forwarding;
        return notes.resumeAtMs <= shard.nowMs()
                && slot.state.forwardsDeadLetters()
                && (slot.state.hasToForward(Lane.DEAD_LETTER) || notes.passedBy.isDue(shard.nowMs()));
    }

    /**
     * Hands on dead-letters that wait in the entity; those that were passed by before have their turn when no others wait.
     *
     * @return whether there may be more to do at once
     */
    boolean pump(EntitySlot slot) {
        long question = slot.forwarding.question;
        return work(slot) || slot.forwarding.question != question;
    }

    private boolean work(EntitySlot slot) {
        boolean searching = slot.state.fill(Lane.DEAD_LETTER, reader);
        List<ForwardedMessage> departures =
                ForwardDecisions.waiting(slot.state, Lane.DEAD_LETTER, shard.situation(), DEAD_LETTERS_PER_QUESTION);
        if (!departures.isEmpty()) {
            return handOn(slot, departures) > 0 || searching;
        }
        if (searching || slot.state.hasToForward(Lane.DEAD_LETTER)) {
            return searching;
        }
        return slot.forwarding.passedBy.isDue(shard.nowMs()) && tryAgain(slot);
    }

    /** Tries some of those that were passed by before. */
    private boolean tryAgain(EntitySlot slot) {
        PassedByNotes notes = slot.forwarding.passedBy;
        long from = notes.next(slot.state.passedByFrom());
        PassedBy found = ForwardDecisions.passedBy(slot.state, from, shard.situation(), DEAD_LETTERS_PER_QUESTION);
        notes.stays(found.staysFrom());
        List<ForwardedMessage> departures = found.forwarded();
        int handled = handOn(slot, departures);
        long next = handled == departures.size()
                ? found.next()
                : departures.get(handled).origin().sequenceNumber();
        long smallest = notes.stepped(next, found.rows(), shard.nowMs());
        if (smallest >= 0) {
            shard.apply(slot, List.of(new Record.PassedByTriedAgain(smallest)), true);
            arrange(slot);
        }
        return handled > 0 || (departures.isEmpty() && next != Long.MAX_VALUE);
    }

    /** Hands on dead-letters in order; returns how many of them have left or were passed by. */
    private int handOn(EntitySlot slot, List<ForwardedMessage> departures) {
        String named = slot.state.description().forwardDeadLetteredMessagesTo();
        int handled = 0;
        for (ForwardedMessage departure : departures) {
            Forwarder.Route route = Forwarder.route(slot, named, departure);
            Attempt attempt = attempt(slot, departure, route);
            if (attempt == Attempt.STOPPED || attempt == Attempt.TO_ASK) {
                if (attempt == Attempt.TO_ASK && route.destination() != null) {
                    ask(slot, departures.subList(handled, departures.size()), route.destination());
                } else if (handled == 0) {
                    pause(slot);
                }
                return handled;
            }
            handled++;
            slot.forwarding.pauseMs = 0;
            if (attempt == Attempt.PASSED_BY) {
                passBy(slot, departure);
            } else {
                slot.forwarding.passedBy.taken();
            }
        }
        return handled;
    }

    private Attempt attempt(EntitySlot slot, ForwardedMessage departure, Forwarder.Route route) {
        if (Forwarder.refusal(slot, departure) != null) {
            return Attempt.PASSED_BY;
        }
        ServedEntity destination = route.destination();
        if (destination == null) {
            return isWhole(slot, route) ? Attempt.STOPPED : Attempt.PASSED_BY;
        }
        if (destination.shard().mailbox() != home) {
            return departs(slot, departure, destination);
        }
        if (!forwarder.isNear(slot, destination)) {
            return Attempt.STOPPED;
        }
        Rejection refused = forwarder.deliver(slot, departure, destination);
        if (refused == null) {
            return Attempt.TAKEN;
        }
        return stops(destination, refused.code()) ? Attempt.STOPPED : Attempt.PASSED_BY;
    }

    /** Whether nothing else goes there either, if there is no way for one of them. */
    private static boolean isWhole(EntitySlot slot, Forwarder.Route route) {
        return route.failure() == null || route.failure().code() == ErrorCode.ENTITY_NOT_FOUND;
    }

    /**
     * Whether a refusal is about the destination, so that others need not be tried. A fragment of a partitioned entity may be
     * full or away while others are not.
     */
    private static boolean stops(ServedEntity destination, ErrorCode code) {
        return switch (code) {
            case ENTITY_NOT_FOUND, ENTITY_DISABLED -> true;
            case QUOTA_EXCEEDED -> destination.whole() == null;
            default -> code.retryable() && destination.whole() == null;
        };
    }

    private void passBy(EntitySlot slot, ForwardedMessage departure) {
        long number = departure.origin().sequenceNumber();
        shard.apply(slot, List.of(new Record.DeadLetterPassedBy(number)), true);
        if (departure.isTooFar()) {
            slot.forwarding.passedBy.stays(number);
        } else {
            passedBy(slot, number);
        }
    }

    /** Has a dead-letter that is passed by tried again later. */
    private void passedBy(EntitySlot slot, long number) {
        slot.forwarding.passedBy.passed(number, shard.nowMs());
        arrange(slot);
    }

    /** The outbox has brought back a dead-letter that its destination in another store does not take after all. */
    Record returned(EntitySlot slot, long number) {
        passedBy(slot, number);
        return new Record.DeadLetterPassedBy(number);
    }

    /** Puts a dead-letter into the outbox if the destination in another store would take it. */
    private Attempt departs(EntitySlot source, ForwardedMessage departure, ServedEntity destination) {
        long number = departure.origin().sequenceNumber();
        if (source.forwarding.unwelcome.remove(number)) {
            return Attempt.PASSED_BY;
        }
        if (!source.forwarding.welcome.remove(number)) {
            return Attempt.TO_ASK;
        }
        forwarder.keep(source, departure, destination, null);
        return Attempt.TAKEN;
    }

    /**
     * Asks a destination in another store which dead-letters it would take, so that only those leave the dead-letter queue.
     * If it changes its mind before they come, the outbox brings them back.
     */
    private void ask(EntitySlot slot, List<ForwardedMessage> departures, ServedEntity destination) {
        Mailbox answerTo = home;
        if (answerTo == null || slot.forwarding.question != 0) {
            return; // the answer to the one before comes first
        }
        // The next one may belong to another fragment.
        List<ForwardedMessage> about = List.copyOf(destination.whole() == null ? departures : departures.subList(0, 1));
        slot.forwarding.question = ++lastQuestion;
        destination.shard().mailbox().put(new Question(slot.entity.id(), destination, lastQuestion, about, answerTo));
    }

    private void answered(long sourceId, long question, Set<Long> welcome, Set<Long> unwelcome) {
        EntitySlot slot = shard.participant(sourceId);
        if (slot != null && slot.forwarding.question == question) {
            slot.forwarding.question = 0;
            slot.forwarding.welcome = new HashSet<>(welcome);
            slot.forwarding.unwelcome = new HashSet<>(unwelcome);
            if (welcome.isEmpty() && unwelcome.isEmpty()) {
                pause(slot);
            } else {
                shard.wakeReceivers(slot);
            }
        }
    }

    /** Which dead-letters a destination would take; its shard answers at once, because nothing is stored. */
    private record Question(
            long sourceId, ServedEntity destination, long number, List<ForwardedMessage> departures, Mailbox home)
            implements Mailbox.Letter {

        @Override
        public void open(ShardWork there) {
            Set<Long> welcome = new HashSet<>();
            Set<Long> unwelcome = new HashSet<>();
            try {
                judge(there, welcome, unwelcome);
            } finally { // also if the store cannot be read: who asks waits for an answer
                home.put(new Answer(sourceId, number, welcome, unwelcome));
            }
        }

        private void judge(ShardWork there, Set<Long> welcome, Set<Long> unwelcome) {
            EntitySlot slot = there.participant(destination.id());
            if (slot == null
                    || slot.entity.unservedSends() != null
                    || !there.situation().storeAcceptsGrowth()) {
                return;
            }
            for (ForwardedMessage departure : departures) {
                Command.SendMessages send = new Command.SendMessages(List.of(departure.message()));
                Rejection refused = slot.send(send, there.situation()).rejection();
                if (refused != null && stops(destination, refused.code())) {
                    return;
                }
                (refused == null ? welcome : unwelcome).add(departure.origin().sequenceNumber());
            }
        }

        @Override
        public void refuse(Rejection reason) {
            home.put(new Answer(sourceId, number, Set.of(), Set.of()));
        }
    }

    /** The answer to a question. */
    private record Answer(long sourceId, long question, Set<Long> welcome, Set<Long> unwelcome)
            implements Mailbox.Letter {

        @Override
        public void open(ShardWork source) {
            source.forwarder().deadLetters().answered(sourceId, question, welcome, unwelcome);
        }

        @Override
        public void refuse(Rejection reason) {
            // The shard starts anew and asks again.
        }
    }

    /** Has the dead-letters of an entity wait before they are tried again. */
    private void pause(EntitySlot slot) {
        ForwardingNotes notes = slot.forwarding;
        notes.pauseMs = Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, notes.pauseMs * 2));
        notes.resumeAtMs = shard.nowMs() + notes.pauseMs;
        arrange(slot);
    }

    /** Has an entity looked at again when its pause is over, or else when those that were passed by are tried again. */
    private void arrange(EntitySlot slot) {
        ForwardingNotes notes = slot.forwarding;
        paused.remove(slot);
        notes.wakeAtMs = notes.resumeAtMs > shard.nowMs() ? notes.resumeAtMs : notes.passedBy.againAtMs();
        if (notes.wakeAtMs > shard.nowMs() && notes.wakeAtMs != Long.MAX_VALUE) {
            paused.add(slot);
        }
    }

    /** Goes on with entities that waited for this time; returns whether there were some. */
    boolean runTimers(long nowMs) {
        boolean worked = false;
        while (nextTimerMs() <= nowMs) {
            EntitySlot slot = paused.remove();
            arrange(slot);
            shard.wakeReceivers(slot);
            worked = true;
        }
        return worked;
    }

    /** When the next one is to be looked at, {@link Long#MAX_VALUE} if none is. */
    long nextTimerMs() {
        EntitySlot first = paused.peek();
        return first == null ? Long.MAX_VALUE : first.forwarding.wakeAtMs;
    }
}
