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
 * Who was given what of a partitioned entity. A receiver asks all fragments, and what several of them have locked for it is
 * kept until it wants that (PART-12, PART-13). So a message is given out later than it was fetched, and what is kept for others
 * looks as if it were free. It has a fresh lock when it is given out, and goes to whoever waits for it (PART-60).
 */
final class FragmentDeliveries {
    /** How many messages of a fragment a receiver may hold that nobody knows of, with those it is giving back. */
    private static final int HELD_MAX = 8;

    /** How old the lock of a message may be that is given out. */
    private static final long FRESH_MS = 100;

    private final ModelState model;

    /** Receivers that have ended, with the turns of all stores that had begun then: what they held may not be free yet. */
    private final Map<Listener, long[]> leavers = new LinkedHashMap<>();

    /** The latest time from which the clock was set back. */
    private long droppedUntilMs;

    /** When a commit that took long was over, at the latest. */
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

    /** Those that left before the last turns of all stores are gone. */
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

    /** What looked free may have been held by a receiver that has gone. */
    private void isFreeNow(Listener leaver) {
        for (StoredEntity entity : model.entities().of(leaver.path)) {
            for (MessageCopy copy : entity.lane(leaver.lane).values()) {
                copy.freeMs = Math.max(copy.freeMs, model.nowMs(entity));
            }
        }
    }

    /** A commit has taken long: locks that were taken before are told late. */
    void hasStalled() {
        stalledUntilMs = model.timeline().latestMs();
    }

    /** The clock is about to be set back. */
    void clockGoesBack(long nowMs) {
        droppedUntilMs = Math.max(droppedUntilMs, nowMs);
    }

    void processEnds() {
        leavers.clear();
    }

    /** The time at which a message was locked, at the earliest. */
    static long lockedMs(MessageCopy copy, MessageView view) {
        StoredEntity entity = copy.entity;
        return view.lockedUntilMs()
                - (isSteady(entity, view)
                        ? entity.settings.lockMs()
                        : Math.max(entity.settings.lockMs(), entity.lockMsBefore));
    }

    /** Whether it is known how long the lock lasts in all. */
    private static boolean isSteady(StoredEntity entity, MessageView view) {
        return view.lockedUntilMs() - Lock.MAX_MS > entity.changedMs && entity.before == entity.settings;
    }

    /**
     * LOCK-2, LOCK-4, PART-13: its token tells the fragment, it still holds, and it was taken or renewed just now: in the turn
     * of its fragment that is told, or when the client asks a moment ago.
     */
    void requireLock(MessageCopy copy, MessageView view, Listener listener) {
        long token = view.lockToken() == null ? -1 : view.lockToken().getLeastSignificantBits() & 0xffff;
        check(token == copy.entity.fragment, "Expected a lock token that tells the fragment (LOCK-4)", copy);
        long nowMs = model.nowMs(copy.entity);
        long lockedMs = lockedMs(copy, view);
        check(
                view.lockedUntilMs() > nowMs && lockedMs <= nowMs,
                () -> "Expected a lock that was taken before " + nowMs + " and lasts longer, but it ends at "
                        + view.lockedUntilMs(),
                copy);
        long askedMs = listener.isAsking() ? model.timeline().clockMs() : nowMs;
        long ageMsMax = listener.isAsking() ? FRESH_MS : Math.max(FRESH_MS, copy.entity.settings.lockMs() / 10);
        check(
                lockedMs >= askedMs - ageMsMax || lockedMs <= stalledUntilMs || !isSteady(copy.entity, view),
                () -> "Expected a fresh lock at " + askedMs + ", but it was taken at " + lockedMs + " (PART-13)",
                copy);
    }

    /**
     * RECV-4, SEQ-7: nothing of its fragment came before it that was free when it was fetched. If it may have been kept, it was
     * fetched at some time since it was free itself, and before its lock was taken or renewed. A message that had expired by then
     * is not handed out (TTL-6): the connection gives it back, and the next message comes.
     */
    void requireFirst(MessageCopy copy, MessageView view, Listener listener) {
        if (view.lockToken() == null) {
            return; // when it was locked is not known
        }
        long fetchedMs = listener.isHungrySince(copy.freeMs)
                ? lockedMs(copy, view)
                : Math.min(copy.freeMs, lockedMs(copy, view));
        long fetchedMsMax = isSteady(copy.entity, view) ? lockedMs(copy, view) : model.nowMs(copy.entity);
        // It has dropped messages whose locks had ended before the clock was set back; the fragment holds them as long
        // again.
        int itself = model.nowMs(copy.entity) < droppedUntilMs ? 1 : 0;
        int held = HELD_MAX * (itself + holders(listener, model.listeners()) + holders(listener, leavers.keySet()));
        for (MessageCopy other :
                copy.entity.lane(copy.lane).headMap(copy.number).values()) {
            boolean passedOver = other.lane == Lane.MAIN && other.isExpired(fetchedMsMax);
            if (other.isAvailable() && !passedOver && other.freeMs < fetchedMs && --held < 0) {
                check(
                        false,
                        () -> "Expected the first message of its fragment that was free at " + fetchedMs + ", which is "
                                + other + ", but got",
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

    /** Whether what was taken for good from an entity may never be told, because whoever took it has ended meanwhile. */
    boolean mayBeUntold(StoredEntity entity) {
        return entity.isFragment()
                && leavers.keySet().stream()
                        .anyMatch(listener -> listener.path.equals(entity.path) && listener.takesForGood());
    }
}
