package dev.jitney.runtime.shard.forward;

import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.queue.ForwardedMessage;
import dev.jitney.core.queue.decide.ForwardDecisions;
import dev.jitney.core.queue.decide.ForwardDecisions.PassedBy;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.shard.entity.EntityInShard;
import dev.jitney.runtime.shard.entity.ForwardingNotes;
import dev.jitney.runtime.shard.entity.HostedEntity;
import dev.jitney.runtime.shard.entity.PassedByNotes;
import dev.jitney.runtime.shard.entity.RecordApplier;
import dev.jitney.runtime.shard.entity.ShardContext;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Hands dead-letters of this shard's entities on to where they are forwarded (FWD-11, FWD-12). What the destination does not
 * take stays in the dead-letter queue. A destination that takes nothing is left alone for a pause, and all wait in order; a
 * dead-letter that is refused for what it is itself is passed by, those behind it go on, and it is tried again later.
 *
 * <p>A destination in another store is asked first which ones it would take. For the shard's thread.
 */
public final class DeadLetterForwarder {
    /** Dead-letters another store is asked about at a time. */
    private static final int DEAD_LETTERS_PER_QUESTION = 64;

    private static final long PAUSE_MIN_MS = 250;
    private static final long PAUSE_MAX_MS = 30_000;

    private final ShardContext context;
    private final RecordApplier applier;
    private final Forwarder forwarder;
    private final StoreRowReader reader;
    private final PriorityQueue<EntityInShard> paused =
            new PriorityQueue<>(Comparator.comparingLong(slot -> slot.forwarding().wakeAtMs));

    private @Nullable LongFunction<@Nullable Inbox> inboxes;
    private long lastQuestion;

    DeadLetterForwarder(ShardContext context, RecordApplier applier, Forwarder forwarder, StoreRowReader reader) {
        this.context = context;
        this.applier = applier;
        this.forwarder = forwarder;
        this.reader = reader;
    }

    /** @param all the inbox of the shard that keeps an entity, null for numbers of no shard */
    void connect(LongFunction<@Nullable Inbox> all) {
        inboxes = all;
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
    boolean hasWork(EntityInShard slot) {
        ForwardingNotes notes = slot.forwarding();
        return notes.resumeAtMs <= context.nowMs()
                && slot.state().forwardsDeadLetters()
                && (slot.state().hasToForward(Lane.DEAD_LETTER) || notes.passedBy.isDue(context.nowMs()));
    }

    /**
     * Hands on dead-letters that wait in the entity; those that were passed by before have their turn when no others wait.
     *
     * @return whether there may be more to do at once
     */
    boolean pump(EntityInShard slot) {
        long question = slot.forwarding().question;
        return work(slot) || slot.forwarding().question != question;
    }

    private boolean work(EntityInShard slot) {
        boolean searching = slot.state().fill(Lane.DEAD_LETTER, reader);
        List<ForwardedMessage> departures = ForwardDecisions.waiting(
                slot.state(), Lane.DEAD_LETTER, context.situation(), DEAD_LETTERS_PER_QUESTION);
        if (!departures.isEmpty()) {
            return handOn(slot, departures) > 0 || searching;
        }
        if (searching || slot.state().hasToForward(Lane.DEAD_LETTER)) {
            return searching;
        }
        return slot.forwarding().passedBy.isDue(context.nowMs()) && tryAgain(slot);
    }

    /** Tries some of those that were passed by before. */
    private boolean tryAgain(EntityInShard slot) {
        PassedByNotes notes = slot.forwarding().passedBy;
        long from = notes.next(slot.state().passedByFrom());
        PassedBy found = ForwardDecisions.passedBy(slot.state(), from, context.situation(), DEAD_LETTERS_PER_QUESTION);
        notes.stays(found.staysFrom());
        List<ForwardedMessage> departures = found.forwarded();
        int handled = handOn(slot, departures);
        long next = handled == departures.size()
                ? found.next()
                : departures.get(handled).origin().sequenceNumber();
        long smallest = notes.stepped(next, found.rows(), context.nowMs());
        if (smallest >= 0) {
            applier.apply(slot, List.of(new Record.PassedByTriedAgain(smallest)), true);
            arrange(slot);
        }
        return handled > 0 || (departures.isEmpty() && next != Long.MAX_VALUE);
    }

    /** Hands on dead-letters in order; returns how many of them have left or were passed by. */
    private int handOn(EntityInShard slot, List<ForwardedMessage> departures) {
        String named = slot.state().description().forwardDeadLetteredMessagesTo();
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
            slot.forwarding().pauseMs = 0;
            if (attempt == Attempt.PASSED_BY) {
                passBy(slot, departure);
            } else {
                slot.forwarding().passedBy.taken();
            }
        }
        return handled;
    }

    private Attempt attempt(EntityInShard slot, ForwardedMessage departure, Forwarder.Route route) {
        if (ForwardingRules.refusal(slot, departure) != null) {
            return Attempt.PASSED_BY;
        }
        HostedEntity destination = route.destination();
        if (destination == null) {
            return isWhole(slot, route) ? Attempt.STOPPED : Attempt.PASSED_BY;
        }
        if (!context.hosts(destination)) {
            return departs(slot, departure, destination);
        }
        if (!forwarder.isNear(slot, destination)) {
            return Attempt.STOPPED;
        }
        Rejection refused = forwarder.deliver(slot, departure, destination);
        if (refused == null) {
            return Attempt.TAKEN;
        }
        return ForwardingRules.stops(destination, refused.code()) ? Attempt.STOPPED : Attempt.PASSED_BY;
    }

    /** Whether nothing else goes there either, if there is no way for one of them. */
    private static boolean isWhole(EntityInShard slot, Forwarder.Route route) {
        return route.failure() == null || route.failure().code() == ErrorCode.ENTITY_NOT_FOUND;
    }

    private void passBy(EntityInShard slot, ForwardedMessage departure) {
        long number = departure.origin().sequenceNumber();
        applier.apply(slot, List.of(new Record.DeadLetterPassedBy(number)), true);
        if (departure.isTooFar()) {
            slot.forwarding().passedBy.stays(number);
        } else {
            passedBy(slot, number);
        }
    }

    /** Has a dead-letter that is passed by tried again later. */
    private void passedBy(EntityInShard slot, long number) {
        slot.forwarding().passedBy.passed(number, context.nowMs());
        arrange(slot);
    }

    /** The outbox has brought back a dead-letter that its destination in another store does not take after all. */
    Record returned(EntityInShard slot, long number) {
        passedBy(slot, number);
        return new Record.DeadLetterPassedBy(number);
    }

    /** Puts a dead-letter into the outbox if the destination in another store would take it. */
    private Attempt departs(EntityInShard source, ForwardedMessage departure, HostedEntity destination) {
        long number = departure.origin().sequenceNumber();
        if (source.forwarding().unwelcome.remove(number)) {
            return Attempt.PASSED_BY;
        }
        if (!source.forwarding().welcome.remove(number)) {
            return Attempt.TO_ASK;
        }
        forwarder.keep(source, departure, destination, null);
        return Attempt.TAKEN;
    }

    /**
     * Asks a destination in another store which dead-letters it would take, so that only those leave the dead-letter queue.
     * If it changes its mind before they come, the outbox brings them back.
     */
    private void ask(EntityInShard slot, List<ForwardedMessage> departures, HostedEntity destination) {
        Inbox inbox = inboxes == null ? null : inboxes.apply(destination.id());
        if (inbox == null || slot.forwarding().question != 0) {
            return; // the answer to the one before comes first
        }
        // The next one may belong to another fragment.
        List<ForwardedMessage> about = List.copyOf(!destination.isFragment() ? departures : departures.subList(0, 1));
        slot.forwarding().question = ++lastQuestion;
        inbox.mailbox()
                .put(new DeadLetterQuestion(
                        slot.entity().id(), destination, lastQuestion, about, inbox, this, context.mailbox()));
    }

    void answered(long sourceId, long question, Set<Long> welcome, Set<Long> unwelcome) {
        EntityInShard slot = context.find(sourceId);
        if (slot != null && slot.forwarding().question == question) {
            slot.forwarding().question = 0;
            slot.forwarding().welcome = new HashSet<>(welcome);
            slot.forwarding().unwelcome = new HashSet<>(unwelcome);
            if (welcome.isEmpty() && unwelcome.isEmpty()) {
                pause(slot);
            } else {
                applier.wakeReceivers(slot);
            }
        }
    }

    /** Has the dead-letters of an entity wait before they are tried again. */
    private void pause(EntityInShard slot) {
        ForwardingNotes notes = slot.forwarding();
        notes.pauseMs = Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, notes.pauseMs * 2));
        notes.resumeAtMs = context.nowMs() + notes.pauseMs;
        arrange(slot);
    }

    /** Has an entity looked at again when its pause is over, or else when those that were passed by are tried again. */
    private void arrange(EntityInShard slot) {
        ForwardingNotes notes = slot.forwarding();
        paused.remove(slot);
        notes.wakeAtMs = notes.resumeAtMs > context.nowMs() ? notes.resumeAtMs : notes.passedBy.againAtMs();
        if (notes.wakeAtMs > context.nowMs() && notes.wakeAtMs != Long.MAX_VALUE) {
            paused.add(slot);
        }
    }

    /** Goes on with entities that waited for this time; returns whether there were some. */
    boolean runTimers(long nowMs) {
        boolean worked = false;
        while (nextTimerMs() <= nowMs) {
            EntityInShard slot = paused.remove();
            arrange(slot);
            applier.wakeReceivers(slot);
            worked = true;
        }
        return worked;
    }

    /** When the next one is to be looked at, {@link Long#MAX_VALUE} if none is. */
    long nextTimerMs() {
        EntityInShard first = paused.peek();
        return first == null ? Long.MAX_VALUE : first.forwarding.wakeAtMs;
    }
}
