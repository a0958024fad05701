package dev.jitney.simulation.model.entity;

import dev.jitney.core.Lane;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.model.state.Listener;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Step;
import dev.jitney.simulation.model.state.StoredEntities;
import dev.jitney.simulation.model.state.StoredEntity;
import java.util.ArrayList;
import java.util.List;

/**
 * The last access of entities with AutoDeleteOnIdle (semantics chapter 7). An entity must not be deleted within its
 * idle time after an access, and must be deleted after it.
 *
 * <p>Idle time is counted in the working time of the shard, because downtime does not count as idle time (IDLE-14). An
 * access that is not certain is not counted.
 */
public final class IdleDeletion {
    /** The maximum age in milliseconds of an access that may be lost with the memory of a shard (STATE-4). */
    private static final long LOST_MS = 60_000;

    /** The maximum delay of a deletion in milliseconds. */
    private static final long LATE_MS = 90_000;

    private final ModelState model;

    /** The subscriptions deleted in a batch before their own idle time ended, perhaps together with their topics. */
    private final List<StoredEntity> followers = new ArrayList<>();

    public IdleDeletion(ModelState model) {
        this.model = model;
    }

    /** Records an access to an entity; for a subscription, also to its topic (IDLE-8). */
    public void used(String path) {
        model.entities().of(path).forEach(this::used);
        String topic = StoredEntities.topicOf(path);
        if (topic != null) {
            model.entities().of(topic).forEach(this::used);
        }
    }

    /** Records an access that is reported later, at the given working time of the shard. */
    public void used(String path, long upMs) {
        String topic = StoredEntities.topicOf(path);
        for (String one : topic == null ? List.of(path) : List.of(path, topic)) {
            model.entities().of(one).forEach(entity -> entity.usedMs = Math.max(entity.usedMs, upMs));
        }
    }

    /** Records an access to this entity only. */
    public void used(StoredEntity entity) {
        entity.usedMs = model.timeline().shard(entity.store).upMs();
        entity.usedVaguely = false;
    }

    /** Records an access for each receiver that waits for messages at the end of a turn (IDLE-7). */
    public void turnEnds(int store) {
        for (Listener listener : model.listeners()) {
            List<StoredEntity> of = model.entities().of(listener.path);
            if (!of.isEmpty()
                    && of.get(0).store == store
                    && listener.isHungryBefore(model.timeline().shard(store).heard())) {
                used(listener.path);
            }
        }
    }

    /** Marks recent accesses as possibly lost, because the memory of a shard is lost before they were stored. */
    public void lose(int store) {
        for (StoredEntity entity : model.entities().all()) {
            entity.usedVaguely |= entity.store == store;
        }
    }

    /** Called when an entity is deleted without a request of a client. */
    void goes(StoredEntity entity) {
        boolean mayGo = mayGo(entity);
        if (!mayGo && mayFollow(entity)) {
            followers.add(entity);
        } else if (!mayGo) {
            throw new Violation("Expected '" + entity.path + "' to exist, but it was deleted after " + idleMs(entity)
                    + " ms without access; its AutoDeleteOnIdle is " + entity.settings.idleMs() + " ms.");
        }
        model.count(Step.VANISHED);
    }

    private boolean mayFollow(StoredEntity entity) {
        String topic = StoredEntities.topicOf(entity.path);
        return topic != null && model.entities().of(topic).stream().anyMatch(one -> !one.gone && mayGo(one));
    }

    /** Checks at the end of a batch that subscriptions deleted with their topic were deleted together with it. */
    public void end() {
        for (StoredEntity follower : followers) {
            String topic = String.valueOf(StoredEntities.topicOf(follower.path));
            if (model.entities().of(topic).stream().anyMatch(one -> !one.gone)) {
                throw new Violation("Expected '" + follower.path + "' to exist as long as its topic.");
            }
        }
        followers.clear();
    }

    private long idleMs(StoredEntity entity) {
        return model.timeline().shard(entity.store).upMs() - entity.usedMs;
    }

    private boolean mayGo(StoredEntity entity) {
        long lostMs = model.timeline().shard(entity.store).setBackMs() + (entity.usedVaguely ? LOST_MS : 0);
        return idleMs(entity) + lostMs >= entity.settings.idleMs() && !isInUse(entity);
    }

    /** Returns whether an entity is in use, so that its idle time does not run (IDLE-7 to IDLE-10). */
    private boolean isInUse(StoredEntity entity) {
        if (!entity.lane(Lane.SCHEDULED).isEmpty() || isKept(entity)) {
            return true;
        }
        for (String path : model.entities().subscriptions(entity.path)) {
            if (isKept(model.entities().of(path).get(0))) {
                return true;
            }
        }
        return false;
    }

    private boolean isKept(StoredEntity entity) {
        return !entity.gone
                && (entity.settings.forwards()
                        || model.listeners().stream()
                                .anyMatch(listener -> listener.path.equals(entity.path)
                                        && listener.isHungryBefore(
                                                model.timeline().horizon())));
    }

    /** Checks that all entities whose idle time has ended were deleted (IDLE-1). */
    public void requireGone() {
        for (StoredEntity entity : model.entities().all()) {
            long lateMs = LATE_MS + model.timeline().shard(entity.store).setBackMs();
            if (!entity.gone
                    && entity.settings.idleMs() != Long.MAX_VALUE
                    && idleMs(entity) > entity.settings.idleMs() + lateMs
                    && !isInUse(entity)) {
                throw new Violation("Expected '" + entity.path + "' to be deleted after " + idleMs(entity)
                        + " ms without access, but it exists.");
            }
        }
    }
}
