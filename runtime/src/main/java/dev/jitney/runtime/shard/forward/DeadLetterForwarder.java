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
 * Forwards dead-letters of this shard's entities (FWD-11, FWD-12). A dead-letter that the destination refuses stays in
 * the dead-letter queue. If the destination accepts nothing, all dead-letters wait in order for a pause. If it refuses
 * a single dead-letter because of the message itself, the forwarder skips this one, continues with the next, and
 * retries it later.
 *
 * <p>The forwarder first checks with a destination in another store which dead-letters it would accept. For the shard's
 * thread.
 */
public final class DeadLetterForwarder {
    /** The number of dead-letters in one question to another store. */
    private static final int DEAD_LETTERS_PER_QUESTION = 64;

    private static final long PAUSE_MIN_MS = 250;
    private static final long PAUSE_MAX_MS = 30_000;

    private final ShardContext context;
    private final RecordApplier applier;
    private final Forwarder forwarder;
    private final StoreRowReader reader;
    private final PriorityQueue<EntityInShard> paused =
            new PriorityQueue<>(Comparator.comparingLong(inShard -> inShard.forwarding().wakeAtMs));

    private @Nullable LongFunction<@Nullable Inbox> inboxes;
    private long lastQuestion;

    DeadLetterForwarder(ShardContext context, RecordApplier applier, Forwarder forwarder, StoreRowReader reader) {
        this.context = context;
        this.applier = applier;
        this.forwarder = forwarder;
        this.reader = reader;
    }

    /** @param all returns the inbox of the shard that hosts an entity, or null for an unknown number */
    void connect(LongFunction<@Nullable Inbox> all) {
        inboxes = all;
    }

    /** Drops all state before the store is reloaded. */
    void lose() {
        paused.clear();
    }

    /** The result of an attempt to forward a dead-letter. */
    private enum Attempt {
        /** The dead-letter has left the dead-letter queue. */
        TAKEN,
        /** The dead-letter stays, and the next one is tried. */
        PASSED_BY,
        /** The destination is in another store and must be checked first. */
        TO_ASK,
        /** The destination accepts nothing for now. */
        STOPPED
    }

    /** Returns whether dead-letters of the entity wait to be forwarded and may be now. */
    boolean hasWork(EntityInShard inShard) {
        ForwardingNotes notes = inShard.forwarding();
        return notes.resumeAtMs <= context.nowMs()
                && inShard.state().forwardsDeadLetters()
                && (inShard.state().hasToForward(Lane.DEAD_LETTER) || notes.passedBy.isDue(context.nowMs()));
    }

    /**
     * Forwards waiting dead-letters of the entity. Those refused before are retried when no others wait.
     *
     * @return whether there may be more to do at once
     */
    boolean pump(EntityInShard inShard) {
        long question = inShard.forwarding().question;
        return work(inShard) || inShard.forwarding().question != question;
    }

    private boolean work(EntityInShard inShard) {
        boolean searching = inShard.state().fill(Lane.DEAD_LETTER, reader);
        List<ForwardedMessage> forwardedMessages = ForwardDecisions.waiting(
                inShard.state(), Lane.DEAD_LETTER, context.situation(), DEAD_LETTERS_PER_QUESTION);
        if (!forwardedMessages.isEmpty()) {
            return handOn(inShard, forwardedMessages) > 0 || searching;
        }
        if (searching || inShard.state().hasToForward(Lane.DEAD_LETTER)) {
            return searching;
        }
        return inShard.forwarding().passedBy.isDue(context.nowMs()) && tryAgain(inShard);
    }

    /** Retries some of the dead-letters that were refused before. */
    private boolean tryAgain(EntityInShard inShard) {
        PassedByNotes notes = inShard.forwarding().passedBy;
        long from = notes.next(inShard.state().passedByFrom());
        PassedBy found =
                ForwardDecisions.passedBy(inShard.state(), from, context.situation(), DEAD_LETTERS_PER_QUESTION);
        notes.stays(found.staysFrom());
        List<ForwardedMessage> forwardedMessages = found.forwarded();
        int handled = handOn(inShard, forwardedMessages);
        long next = handled == forwardedMessages.size()
                ? found.next()
                : forwardedMessages.get(handled).origin().sequenceNumber();
        long smallest = notes.stepped(next, found.rows(), context.nowMs());
        if (smallest >= 0) {
            applier.apply(inShard, List.of(new Record.PassedByTriedAgain(smallest)), true);
            arrange(inShard);
        }
        return handled > 0 || (forwardedMessages.isEmpty() && next != Long.MAX_VALUE);
    }

    /** Forwards dead-letters in order. Returns how many of them were accepted or skipped. */
    private int handOn(EntityInShard inShard, List<ForwardedMessage> forwardedMessages) {
        String named = inShard.state().description().forwardDeadLetteredMessagesTo();
        int handled = 0;
        for (ForwardedMessage forwarded : forwardedMessages) {
            Forwarder.Route route = Forwarder.route(inShard, named, forwarded);
            Attempt attempt = attempt(inShard, forwarded, route);
            if (attempt == Attempt.STOPPED || attempt == Attempt.TO_ASK) {
                if (attempt == Attempt.TO_ASK && route.destination() != null) {
                    ask(inShard, forwardedMessages.subList(handled, forwardedMessages.size()), route.destination());
                } else if (handled == 0) {
                    pause(inShard);
                }
                return handled;
            }
            handled++;
            inShard.forwarding().pauseMs = 0;
            if (attempt == Attempt.PASSED_BY) {
                passBy(inShard, forwarded);
            } else {
                inShard.forwarding().passedBy.taken();
            }
        }
        return handled;
    }

    private Attempt attempt(EntityInShard inShard, ForwardedMessage forwarded, Forwarder.Route route) {
        if (ForwardingRules.refusal(inShard, forwarded) != null) {
            return Attempt.PASSED_BY;
        }
        HostedEntity destination = route.destination();
        if (destination == null) {
            return isWhole(inShard, route) ? Attempt.STOPPED : Attempt.PASSED_BY;
        }
        if (!context.hosts(destination)) {
            return departs(inShard, forwarded, destination);
        }
        if (!forwarder.isNear(inShard, destination)) {
            return Attempt.STOPPED;
        }
        Rejection refused = forwarder.deliver(inShard, forwarded, destination);
        if (refused == null) {
            return Attempt.TAKEN;
        }
        return ForwardingRules.stops(destination, refused.code()) ? Attempt.STOPPED : Attempt.PASSED_BY;
    }

    /** Returns whether the missing route is the same for all dead-letters, not only for this one. */
    private static boolean isWhole(EntityInShard inShard, Forwarder.Route route) {
        return route.failure() == null || route.failure().code() == ErrorCode.ENTITY_NOT_FOUND;
    }

    private void passBy(EntityInShard inShard, ForwardedMessage forwarded) {
        long number = forwarded.origin().sequenceNumber();
        applier.apply(inShard, List.of(new Record.DeadLetterPassedBy(number)), true);
        if (forwarded.isTooFar()) {
            inShard.forwarding().passedBy.stays(number);
        } else {
            passedBy(inShard, number);
        }
    }

    /** Schedules the retry of a refused dead-letter. */
    private void passedBy(EntityInShard inShard, long number) {
        inShard.forwarding().passedBy.passed(number, context.nowMs());
        arrange(inShard);
    }

    /** Takes back a dead-letter from the outbox, because its destination in another store refused it after all. */
    Record returned(EntityInShard inShard, long number) {
        passedBy(inShard, number);
        return new Record.DeadLetterPassedBy(number);
    }

    /** Puts a dead-letter into the outbox if the destination in another store would accept it. */
    private Attempt departs(EntityInShard source, ForwardedMessage forwarded, HostedEntity destination) {
        long number = forwarded.origin().sequenceNumber();
        if (source.forwarding().unwelcome.remove(number)) {
            return Attempt.PASSED_BY;
        }
        if (!source.forwarding().welcome.remove(number)) {
            return Attempt.TO_ASK;
        }
        forwarder.keep(source, forwarded, destination, null);
        return Attempt.TAKEN;
    }

    /**
     * Checks with a destination in another store which dead-letters it would accept, so that only those leave the
     * dead-letter queue. If it refuses one of them later, the outbox brings it back.
     */
    private void ask(EntityInShard inShard, List<ForwardedMessage> forwardedMessages, HostedEntity destination) {
        Inbox inbox = inboxes == null ? null : inboxes.apply(destination.id());
        if (inbox == null || inShard.forwarding().question != 0) {
            return; // the previous question is not answered yet
        }
        // The next dead-letter may belong to another fragment.
        List<ForwardedMessage> about =
                List.copyOf(!destination.isFragment() ? forwardedMessages : forwardedMessages.subList(0, 1));
        inShard.forwarding().question = ++lastQuestion;
        inbox.mailbox()
                .put(new DeadLetterQuestion(
                        inShard.entity().id(), destination, lastQuestion, about, inbox, this, context.mailbox()));
    }

    void answered(long sourceId, long question, Set<Long> welcome, Set<Long> unwelcome) {
        EntityInShard inShard = context.find(sourceId);
        if (inShard != null && inShard.forwarding().question == question) {
            inShard.forwarding().question = 0;
            inShard.forwarding().welcome = new HashSet<>(welcome);
            inShard.forwarding().unwelcome = new HashSet<>(unwelcome);
            if (welcome.isEmpty() && unwelcome.isEmpty()) {
                pause(inShard);
            } else {
                applier.wakeReceivers(inShard);
            }
        }
    }

    /** Pauses the dead-letters of an entity before a retry. */
    private void pause(EntityInShard inShard) {
        ForwardingNotes notes = inShard.forwarding();
        notes.pauseMs = Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, notes.pauseMs * 2));
        notes.resumeAtMs = context.nowMs() + notes.pauseMs;
        arrange(inShard);
    }

    /**
     * Schedules the next check of an entity: at the end of its pause, or otherwise at the next retry of refused
     * dead-letters.
     */
    private void arrange(EntityInShard inShard) {
        ForwardingNotes notes = inShard.forwarding();
        paused.remove(inShard);
        notes.wakeAtMs = notes.resumeAtMs > context.nowMs() ? notes.resumeAtMs : notes.passedBy.againAtMs();
        if (notes.wakeAtMs > context.nowMs() && notes.wakeAtMs != Long.MAX_VALUE) {
            paused.add(inShard);
        }
    }

    /** Continues with entities whose check is due. Returns whether there were any. */
    boolean runTimers(long nowMs) {
        boolean worked = false;
        while (nextTimerMs() <= nowMs) {
            EntityInShard inShard = paused.remove();
            arrange(inShard);
            applier.wakeReceivers(inShard);
            worked = true;
        }
        return worked;
    }

    /** Returns the time of the next check, or {@link Long#MAX_VALUE}. */
    long nextTimerMs() {
        EntityInShard first = paused.peek();
        return first == null ? Long.MAX_VALUE : first.forwarding.wakeAtMs;
    }
}
