package dev.jitney.simulation.model.answer;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.core.Lane;
import dev.jitney.model.MessageView;
import dev.jitney.simulation.model.state.Listener;
import dev.jitney.simulation.model.state.Lock;
import dev.jitney.simulation.model.state.MessageCopy;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.ShardTurns;
import dev.jitney.simulation.model.state.StoredEntity;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The judge of deliveries from partitioned entities. A receiver fetches from all fragments, and keeps the surplus
 * messages until it has credit for them (PART-12, PART-13). So a message is delivered later than it was fetched, and
 * the model sees a message kept for another receiver as available. A message has a fresh lock when it is delivered, and
 * goes to a receiver with credit (PART-60).
 */
final class FragmentDeliveries {
    /** The maximum number of messages of a fragment that a receiver may keep, including those it is giving back. */
    private static final int HELD_MAX = 8;

    /** The maximum age of the lock of a delivered message in milliseconds. */
    private static final long FRESH_MS = 100;

    private final ModelState model;

    /**
     * The receivers that have ended, with the turns that all stores had begun by then. Their messages may not be
     * released yet.
     */
    private final Map<Listener, long[]> leavers = new LinkedHashMap<>();

    /** The latest time in milliseconds since the epoch from which the clock was set back. */
    private long droppedUntilMs;

    /** The end of the last long commit in milliseconds since the epoch. */
    private long stalledUntilMs;

    FragmentDeliveries(ModelState model) {
        this.model = model;
    }

    Collection<Listener> leavers() {
        return leavers.keySet();
    }

    void left(Listener listener) {
        long[] turns = new long[model.timeline().stores()];
        for (int store = 0; store < turns.length; store++) {
            turns[store] = model.timeline().shard(store).count();
        }
        leavers.put(listener, turns);
    }

    /** Removes the receivers that were closed before the last turns of all stores. */
    void leaversAreGone() {
        leavers.entrySet().removeIf(leaver -> {
            boolean gone = true;
            for (int store = 0; store < leaver.getValue().length; store++) {
                ShardTurns shard = model.timeline().shard(store);
                gone &= shard.count() > leaver.getValue()[store] + 1 && !shard.isTroubled();
            }
            if (gone) {
                leaver.getKey().closed = true;
                isFreeNow(leaver.getKey());
                model.listeners().remove(leaver.getKey());
            }
            return gone;
        });
    }

    /** Updates the time since which messages are free, because the closed receiver may have kept them. */
    private void isFreeNow(Listener leaver) {
        for (StoredEntity entity : model.entities().of(leaver.path)) {
            for (MessageCopy copy : entity.lane(leaver.lane).values()) {
                copy.freeMs = Math.max(copy.freeMs, model.nowMs(entity));
            }
        }
    }

    /** Called after a long commit: its locks are reported late. */
    void hasStalled() {
        stalledUntilMs = model.timeline().latestMs();
    }

    /** Called before the clock is set back. */
    void clockGoesBack(long nowMs) {
        droppedUntilMs = Math.max(droppedUntilMs, nowMs);
    }

    void processEnds() {
        leavers.clear();
    }

    /** Returns the earliest time in milliseconds since the epoch at which a message may have been locked. */
    static long lockedMs(MessageCopy copy, MessageView view) {
        StoredEntity entity = copy.entity;
        return view.lockedUntilMs()
                - (isSteady(entity, view)
                        ? entity.settings.lockMs()
                        : Math.max(entity.settings.lockMs(), entity.lockMsBefore));
    }

    /** Returns whether the whole lock duration is known. */
    private static boolean isSteady(StoredEntity entity, MessageView view) {
        return view.lockedUntilMs() - Lock.MAX_MS > entity.changedMs && entity.before == entity.settings;
    }

    /**
     * Checks the lock of a message: its token contains the fragment, it is still valid, and it is fresh (LOCK-2,
     * LOCK-4, PART-13). It was taken or renewed in the reported turn of its fragment, or a moment before the client
     * requested it.
     */
    void requireLock(MessageCopy copy, MessageView view, Listener listener) {
        long token = view.lockToken() == null ? -1 : view.lockToken().getLeastSignificantBits() & 0xffff;
        check(token == copy.entity.fragment, "Expected a lock token with the number of the fragment (LOCK-4)", copy);
        long nowMs = model.nowMs(copy.entity);
        long lockedMs = lockedMs(copy, view);
        check(
                view.lockedUntilMs() > nowMs && lockedMs <= nowMs,
                () -> "Expected a lock that begins before " + nowMs + " and ends after it, but it ends at "
                        + view.lockedUntilMs(),
                copy);
        long askedMs = listener.isAsking() ? model.timeline().clockMs() : nowMs;
        long ageMsMax = listener.isAsking() ? FRESH_MS : Math.max(FRESH_MS, copy.entity.settings.lockMs() / 10);
        check(
                lockedMs >= askedMs - ageMsMax || lockedMs <= stalledUntilMs || !isSteady(copy.entity, view),
                () -> "Expected a fresh lock at " + askedMs + ", but it begins at " + lockedMs + " (PART-13)",
                copy);
    }

    /**
     * Checks that no message of the fragment that was free at the time of the fetch precedes this one (RECV-4, SEQ-7).
     * A kept message was fetched at any time between the start of being free and the start or renewal of its lock. A
     * message that had expired by then is not delivered (TTL-6): the connection gives it back, and the next message
     * follows.
     */
    void requireFirst(MessageCopy copy, MessageView view, Listener listener) {
        if (view.lockToken() == null) {
            return; // the time of its lock is unknown
        }
        long fetchedMs = listener.isHungrySince(copy.freeMs)
                ? lockedMs(copy, view)
                : Math.min(copy.freeMs, lockedMs(copy, view));
        long fetchedMsMax = isSteady(copy.entity, view) ? lockedMs(copy, view) : model.nowMs(copy.entity);
        // The receiver has dropped messages whose locks had ended before the clock was set back. The fragment holds
        // them for the same time again.
        int itself = model.nowMs(copy.entity) < droppedUntilMs ? 1 : 0;
        int held = HELD_MAX * (itself + holders(listener, model.listeners()) + holders(listener, leavers.keySet()));
        for (MessageCopy other :
                copy.entity.lane(copy.lane).headMap(copy.number).values()) {
            boolean passedOver = other.lane == Lane.MAIN && other.isExpired(fetchedMsMax);
            if (other.isAvailable() && !passedOver && other.freeMs < fetchedMs && --held < 0) {
                check(
                        false,
                        () -> "Expected the first free message of its fragment at " + fetchedMs + ", which is " + other
                                + ", but got another one",
                        copy);
            }
        }
    }

    private static int holders(Listener than, Collection<Listener> some) {
        int count = 0;
        for (Listener other : some) {
            count += other != than && other.lane == than.lane && other.path.equals(than.path) ? 1 : 0;
        }
        return count;
    }

    /** Returns whether messages removed from an entity may never be delivered, because their receiver has ended. */
    boolean mayBeUntold(StoredEntity entity) {
        return entity.isFragment()
                && leavers.keySet().stream()
                        .anyMatch(listener -> listener.path.equals(entity.path) && listener.takesForGood());
    }
}
