package dev.jitney.runtime.shard;

import dev.jitney.core.Reply;
import dev.jitney.core.idle.Activity;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.runtime.LogKeys;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import dev.jitney.runtime.shard.entity.EntitiesInShard;
import dev.jitney.runtime.shard.entity.EntityInShard;
import dev.jitney.runtime.shard.entity.HostedEntity;
import dev.jitney.runtime.shard.entity.HostedTopic;
import dev.jitney.runtime.shard.entity.Idleness;
import dev.jitney.runtime.shard.entity.RecordApplier;
import dev.jitney.runtime.shard.entity.Uptime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entities of a shard that go away when they are idle (semantics chapter 7). A timer looks at each when it may have been
 * idle for long enough; it goes then, unless somebody waits for its messages, a scheduled message waits in it, or it forwards.
 *
 * <p>Twice a minute the store learns what a start needs to know: that the shard is alive, which entities are waited for, and
 * accesses that have not been written yet. Without such entities nothing is done or written. For the shard's thread.
 */
final class TemporaryEntities {
    private static final Logger LOG = LoggerFactory.getLogger(TemporaryEntities.class);

    /** How many are looked at in a turn, and how many go, so that others get theirs. */
    private static final int LOOKS_PER_TURN = 1_000;

    private static final int DELETIONS_PER_TURN = 64;

    private final RecordApplier applier;
    private final EntitiesInShard entitiesInShard;
    private final Uptime uptime;
    private final Set<EntityInShard> watched = new LinkedHashSet<>();

    /** Those that have not been looked at in the round under way. */
    private final ArrayDeque<EntityInShard> round = new ArrayDeque<>();

    private long nextRoundMs = Long.MIN_VALUE;
    private int deletions;

    TemporaryEntities(
            RecordApplier applier, EntitiesInShard entitiesInShard, StoreRowReader reader, StoreRowWriter writer) {
        this.applier = applier;
        this.entitiesInShard = entitiesInShard;
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
            for (EntityInShard inShard : watched) {
                Idleness idleness = inShard.idleness();
                if (idleness != null && !isInUse(inShard)) { // else its count starts when that ends
                    usedSinceMs = Math.min(usedSinceMs, idleness.sinceMs());
                }
            }
            uptime.writeDowntimes(usedSinceMs);
            nextRoundMs = nowMs;
        }
    }

    /** Looks at the description of an entity that is new here or has changed. */
    void watch(EntityInShard inShard) {
        boolean fragment = inShard.entity().isFragment(); // goes with the whole
        if (fragment || inShard.entity().latest().description().autoDeleteOnIdleMs() == MessageView.NEVER) {
            forget(inShard);
        } else if (inShard.idleness() == null) {
            inShard.setIdleness(new Idleness(inShard, uptime));
            watched.add(inShard);
        }
    }

    /** It goes, or stays for ever. */
    void forget(EntityInShard inShard) {
        if (inShard.idleness() != null) {
            inShard.setIdleness(null);
            watched.remove(inShard);
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

    /** Whether an entity has been idle for long enough and is to be deleted now. */
    boolean isToGo(EntityInShard inShard, long nowMs) {
        Idleness idleness = inShard.idleness();
        if (idleness == null || idleness.dueMs() > nowMs) {
            return false;
        }
        if (isInUse(inShard)) {
            idleness.inUse(nowMs);
            return false;
        }
        deletions++;
        return true;
    }

    /** Tells operators that an entity has gone, once that is durable. */
    static ReplyListener announcement(HostedEntity entity) {
        return new Announcement(entity);
    }

    private boolean isInUse(EntityInShard inShard) {
        return Activity.goesOn(inShard.state())
                || fragmentsInUse(inShard)
                || forwards(inShard)
                || any(inShard, s -> Activity.isAwaited(s.state()) || fragmentsInUse(s) || forwards(s));
    }

    private static boolean fragmentsInUse(EntityInShard inShard) {
        return inShard.entity().areFragmentsInUse();
    }

    private boolean isAwaited(EntityInShard inShard) {
        return Activity.isAwaited(inShard.state()) || any(inShard, s -> Activity.isAwaited(s.state()));
    }

    /** Whether something is true of a subscription of a topic: what is done with one is done with its topic (IDLE-8). */
    private boolean any(EntityInShard inShard, Predicate<EntityInShard> condition) {
        if (inShard.entity() instanceof HostedTopic topic) {
            for (HostedEntity subscription : topic.allSubscriptions()) {
                EntityInShard found = entitiesInShard.get(subscription.id());
                if (found != null && condition.test(found)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** IDLE-10: as if a receiver were always there. */
    private static boolean forwards(EntityInShard inShard) {
        EntityDescription description = inShard.entity().latest().description();
        if (description instanceof QueueDescription queue) {
            return queue.forwardTo() != null;
        }
        return description instanceof SubscriptionDescription subscription && subscription.forwardTo() != null;
    }

    /** Tells operators that an entity has gone, once that is durable. */
    private record Announcement(HostedEntity entity) implements ReplyListener {

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
            nextRoundMs = nowMs + RecordApplier.ACCESS_PAUSE_MS;
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
    private void record(EntityInShard inShard) {
        if (inShard.idleness() == null) {
            return; // it has gone, or stays
        }
        if (isAwaited(inShard)) {
            applier.touch(inShard);
        }
        applier.writeAccess(inShard);
    }
}
