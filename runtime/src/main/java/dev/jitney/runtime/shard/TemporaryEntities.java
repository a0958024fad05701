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
 * The entities of a shard with {@code AutoDeleteOnIdle} (semantics chapter 7). A timer checks each when it may have
 * been idle long enough. The entity is then deleted, unless a receiver waits for its messages, a scheduled message
 * waits in it, or it forwards.
 *
 * <p>Twice a minute the shard writes the state that a start needs: that the shard is alive, which entities have waiting
 * receivers, and accesses not written yet. Without temporary entities nothing is done or written. For the shard's
 * thread.
 */
final class TemporaryEntities {
    private static final Logger LOG = LoggerFactory.getLogger(TemporaryEntities.class);

    /** The entities checked in a turn. This limit and the next one leave time for other work. */
    private static final int LOOKS_PER_TURN = 1_000;

    private static final int DELETIONS_PER_TURN = 64;

    private final RecordApplier applier;
    private final EntitiesInShard entitiesInShard;
    private final Uptime uptime;
    private final Set<EntityInShard> watched = new LinkedHashSet<>();

    /** The entities not yet checked in the current round. */
    private final ArrayDeque<EntityInShard> round = new ArrayDeque<>();

    private long nextRoundMs = Long.MIN_VALUE;
    private int deletions;

    TemporaryEntities(
            RecordApplier applier, EntitiesInShard entitiesInShard, StoreRowReader reader, StoreRowWriter writer) {
        this.applier = applier;
        this.entitiesInShard = entitiesInShard;
        this.uptime = new Uptime(reader, writer);
    }

    /** Reads the stored downtimes, before the shard runs. */
    void load() {
        uptime.load();
    }

    /** Begins a turn. */
    void startTurn(long nowMs) {
        deletions = 0;
        if (uptime.resume(nowMs)) {
            long usedSinceMs = Long.MAX_VALUE;
            for (EntityInShard inShard : watched) {
                Idleness idleness = inShard.idleness();
                if (idleness != null && !isInUse(inShard)) { // else its idle time starts when the use ends
                    usedSinceMs = Math.min(usedSinceMs, idleness.sinceMs());
                }
            }
            uptime.writeDowntimes(usedSinceMs);
            nextRoundMs = nowMs;
        }
    }

    /** Starts or stops watching an entity that is new or whose description has changed. */
    void watch(EntityInShard inShard) {
        boolean fragment = inShard.entity().isFragment(); // deleted with the whole
        if (fragment || inShard.entity().latest().description().autoDeleteOnIdleMs() == MessageView.NEVER) {
            forget(inShard);
        } else if (inShard.idleness() == null) {
            inShard.setIdleness(new Idleness(inShard, uptime));
            watched.add(inShard);
        }
    }

    /** Stops watching an entity that is deleted or no longer temporary. */
    void forget(EntityInShard inShard) {
        if (inShard.idleness() != null) {
            inShard.setIdleness(null);
            watched.remove(inShard);
        }
    }

    /** Clears the state in memory after a failure of the store; it is read again. */
    void lose(long nowMs) {
        watched.clear();
        round.clear();
        uptime.fail(nowMs);
    }

    // --- the end of an entity ---

    /** Returns whether this turn has reached its limit of deletions. */
    boolean hasDeletedEnough() {
        return deletions >= DELETIONS_PER_TURN;
    }

    /** Returns whether an entity has been idle long enough and must be deleted now. */
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

    /** Returns a listener that logs the deletion of an entity once it is durable. */
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
        return isOneAwaited(inShard) || any(inShard, TemporaryEntities::isOneAwaited);
    }

    /** Returns whether a receiver waits at an entity or at its fragments, apart from subscriptions. */
    private static boolean isOneAwaited(EntityInShard inShard) {
        return Activity.isAwaited(inShard.state()) || inShard.entity().areFragmentsAwaited();
    }

    /**
     * Returns whether a condition holds for a subscription of a topic. Activity of a subscription is activity of its
     * topic (IDLE-8).
     */
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

    /** Returns whether an entity forwards its messages, which counts as a permanent receiver (IDLE-10). */
    private static boolean forwards(EntityInShard inShard) {
        EntityDescription description = inShard.entity().latest().description();
        if (description instanceof QueueDescription queue) {
            return queue.forwardTo() != null;
        }
        return description instanceof SubscriptionDescription subscription && subscription.forwardTo() != null;
    }

    /** Logs the deletion of an entity once it is durable. */
    private record Announcement(HostedEntity entity) implements ReplyListener {

        @Override
        public void onReply(Reply reply) {
            EntityDescription description = entity.latest().description();
            LOG.atInfo()
                    .addKeyValue(LogKeys.NAMESPACE, entity.namespaceOptions().name())
                    .addKeyValue(LogKeys.ENTITY, description.path())
                    .log(
                            "Deleted {} '{}' because it was idle for {} (AutoDeleteOnIdle).",
                            description.kind().word().toLowerCase(Locale.ROOT),
                            description.path(),
                            Duration.ofMillis(description.autoDeleteOnIdleMs()));
        }

        @Override
        public void onRejected(Rejection rejection) {
            // The entity still exists. It is deleted when the store works again.
        }
    }

    // --- state that a start needs ---

    /** Continues the current round, or begins one when it is due. Returns whether there was work. */
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

    /** Returns the time of the next work, or {@link Long#MAX_VALUE}. */
    long nextTimerMs() {
        if (watched.isEmpty()) {
            return Long.MAX_VALUE;
        }
        return round.isEmpty() ? nextRoundMs : Long.MIN_VALUE;
    }

    /** Writes exact times before an orderly stop. */
    void stop(long nowMs) {
        if (!watched.isEmpty()) {
            watched.forEach(this::record);
            uptime.writeAlive(nowMs);
        }
    }

    /** Writes an access that is only in memory or still continues. */
    private void record(EntityInShard inShard) {
        if (inShard.idleness() == null) {
            return; // deleted, or no longer temporary
        }
        if (isAwaited(inShard)) {
            applier.touch(inShard);
        }
        applier.writeAccess(inShard);
    }
}
