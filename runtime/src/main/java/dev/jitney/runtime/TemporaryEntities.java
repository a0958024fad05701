package dev.jitney.runtime;

import dev.jitney.core.Reply;
import dev.jitney.core.idle.Activity;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entities of a shard that go away when they are idle (semantics chapter 7). An alarm looks at each when it may have been
 * idle for long enough; it goes then, unless somebody waits for its messages, a scheduled message waits in it, or it forwards.
 *
 * <p>Twice a minute the store learns what a start needs to know: that the shard is alive, which entities are waited for, and
 * accesses that have not been written yet. Without such entities nothing is done or written. For the shard's thread.
 */
final class TemporaryEntities {
    private static final Logger LOG = LoggerFactory.getLogger(TemporaryEntities.class);

    /** How often the store learns of accesses that write nothing else: half of what STATE-4 allows. */
    static final long ACCESS_PAUSE_MS = 30_000;

    /** How many are looked at in a turn, and how many go, so that others get theirs. */
    private static final int LOOKS_PER_TURN = 1_000;

    private static final int DELETIONS_PER_TURN = 64;

    private final ShardWork shard;
    private final ShardSlots slots;
    private final Uptime uptime;
    private final Set<EntitySlot> watched = new LinkedHashSet<>();

    /** Those that have not been looked at in the round under way. */
    private final ArrayDeque<EntitySlot> round = new ArrayDeque<>();

    private long nextRoundMs = Long.MIN_VALUE;
    private int deletions;

    TemporaryEntities(ShardWork shard, ShardSlots slots, StoreRowReader reader, StoreRowWriter writer) {
        this.shard = shard;
        this.slots = slots;
        this.uptime = new Uptime(reader, writer);
    }

    /** Reads what the store knows, before the shard runs. */
    void load() {
        uptime.load();
    }

    /** A turn begins. */
    void startTurn(long nowMs) {
        deletions = 0;
        if (uptime.resume(nowMs)) {
            long usedSinceMs = Long.MAX_VALUE;
            for (EntitySlot slot : watched) {
                Idleness idleness = slot.idleness;
                if (idleness != null && !isInUse(slot)) { // else its count starts when that ends
                    usedSinceMs = Math.min(usedSinceMs, idleness.sinceMs());
                }
            }
            uptime.writeDowntimes(usedSinceMs);
            nextRoundMs = nowMs;
        }
    }

    /** Looks at the description of an entity that is new here or has changed. */
    void watch(EntitySlot slot) {
        boolean fragment = slot.entity.whole() != null; // goes with the whole
        if (fragment || slot.entity.latest().description().autoDeleteOnIdleMs() == MessageView.NEVER) {
            forget(slot);
        } else if (slot.idleness == null) {
            slot.idleness = new Idleness(slot, uptime);
            watched.add(slot);
        }
    }

    /** It goes, or stays for ever. */
    void forget(EntitySlot slot) {
        if (slot.idleness != null) {
            slot.idleness = null;
            watched.remove(slot);
        }
    }

    /** The store has failed: all that is in memory is read anew. */
    void lose(long nowMs) {
        watched.clear();
        round.clear();
        uptime.fail(nowMs);
    }

    // --- the end of an entity ---

    /** Whether no more of them may go in this turn. */
    boolean hasDeletedEnough() {
        return deletions >= DELETIONS_PER_TURN;
    }

    /** Deletes an entity if it has been idle for long enough; returns whether it has gone. */
    boolean deleteIfIdle(EntitySlot slot, long nowMs) {
        Idleness idleness = slot.idleness;
        if (idleness == null || idleness.dueMs() > nowMs) {
            return false;
        }
        if (isInUse(slot)) {
            idleness.inUse(nowMs);
            return false;
        }
        deletions++;
        shard.lifecycle().deleteIdle(slot.entity);
        shard.afterCommit(new Announcement(slot.entity));
        return true;
    }

    private boolean isInUse(EntitySlot slot) {
        return Activity.goesOn(slot.state)
                || fragmentsInUse(slot)
                || forwards(slot)
                || any(slot, s -> Activity.isAwaited(s.state) || fragmentsInUse(s) || forwards(s));
    }

    private static boolean fragmentsInUse(EntitySlot slot) {
        Fragments fragments = slot.entity.fragments();
        return fragments != null && fragments.isInUse();
    }

    private boolean isAwaited(EntitySlot slot) {
        return Activity.isAwaited(slot.state) || any(slot, s -> Activity.isAwaited(s.state));
    }

    /** Whether something is true of a subscription of a topic: what is done with one is done with its topic (IDLE-8). */
    private boolean any(EntitySlot slot, Predicate<EntitySlot> condition) {
        if (slot.entity instanceof ServedTopic topic) {
            for (ServedSubscription subscription : topic.allSubscriptions()) {
                EntitySlot found = slots.get(subscription.id());
                if (found != null && condition.test(found)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** IDLE-10: as if a receiver were always there. */
    private static boolean forwards(EntitySlot slot) {
        EntityDescription description = slot.entity.latest().description();
        if (description instanceof QueueDescription queue) {
            return queue.forwardTo() != null;
        }
        return description instanceof SubscriptionDescription subscription && subscription.forwardTo() != null;
    }

    /** Tells operators that an entity has gone, once that is durable. */
    private record Announcement(ServedEntity entity) implements ReplyListener {

        @Override
        public void onReply(Reply reply) {
            EntityDescription description = entity.latest().description();
            LOG.atInfo()
                    .addKeyValue(LogKeys.NAMESPACE, entity.namespaceOptions().name())
                    .addKeyValue(LogKeys.ENTITY, description.path())
                    .log(
                            "Deleted {} '{}', which nobody has used for {}.",
                            description.kind().word().toLowerCase(Locale.ROOT),
                            description.path(),
                            Duration.ofMillis(description.autoDeleteOnIdleMs()));
        }

        @Override
        public void onRejected(Rejection rejection) {
            // It is still there, and goes when the store works again.
        }
    }

    // --- what a start needs to know ---

    /** Goes on with the round, or begins one when it is time; returns whether there was something to do. */
    boolean runTimers(long nowMs) {
        if (nextTimerMs() > nowMs) {
            return false;
        }
        if (round.isEmpty()) {
            nextRoundMs = nowMs + ACCESS_PAUSE_MS;
            round.addAll(watched);
        }
        for (int i = 0; i < LOOKS_PER_TURN && !round.isEmpty(); i++) {
            record(round.remove());
        }
        if (round.isEmpty()) {
            uptime.writeAlive(nowMs);
        }
        return true;
    }

    /** When there is something to do next, {@link Long#MAX_VALUE} if never. */
    long nextTimerMs() {
        if (watched.isEmpty()) {
            return Long.MAX_VALUE;
        }
        return round.isEmpty() ? nextRoundMs : Long.MIN_VALUE;
    }

    /** The shard stops in good order: what is written now is exact. */
    void stop(long nowMs) {
        if (!watched.isEmpty()) {
            watched.forEach(this::record);
            uptime.writeAlive(nowMs);
        }
    }

    /** Has an access written that is in memory only, or that goes on. */
    private void record(EntitySlot slot) {
        if (slot.idleness == null) {
            return; // it has gone, or stays
        }
        if (isAwaited(slot)) {
            shard.touch(slot);
        }
        shard.writeAccess(slot);
    }
}
