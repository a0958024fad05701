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
 * When entities were used that go away when nobody uses them (semantics chapter 7): none goes that was used within its time, and
 * each goes in the end.
 *
 * <p>Time is counted as the shard works, because downtime is no idleness (IDLE-14). What is not certain to be a use is
 * taken for none.
 */
public final class IdleDeletion {
    /** STATE-4: how much of the last use may be lost with the memory of a shard. */
    private static final long LOST_MS = 60_000;

    /** How long after its time an entity may still be there. */
    private static final long LATE_MS = 90_000;

    private final ModelState model;

    /** Subscriptions that have gone in a batch although they need not, with their topics perhaps. */
    private final List<StoredEntity> followers = new ArrayList<>();

    public IdleDeletion(ModelState model) {
        this.model = model;
    }

    /** An entity is used now, and its topic with a subscription (IDLE-8). */
    public void used(String path) {
        model.entities().of(path).forEach(this::used);
        String topic = StoredEntities.topicOf(path);
        if (topic != null) {
            model.entities().of(topic).forEach(this::used);
        }
    }

    /** The same for a use that is told late. */
    public void used(String path, long upMs) {
        String topic = StoredEntities.topicOf(path);
        for (String one : topic == null ? List.of(path) : List.of(path, topic)) {
            model.entities().of(one).forEach(entity -> entity.usedMs = Math.max(entity.usedMs, upMs));
        }
    }

    /** The same for an entity alone. */
    public void used(StoredEntity entity) {
        entity.usedMs = model.timeline().shard(entity.store).upMs();
        entity.usedVaguely = false;
    }

    /** A shard has done a turn: whoever waits uses what it waits for (IDLE-7). */
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

    /** The memory of a shard is lost, and with it how it was used at last, if that was not worth a row. */
    public void lose(int store) {
        for (StoredEntity entity : model.entities().all()) {
            entity.usedVaguely |= entity.store == store;
        }
    }

    /** An entity goes that nobody has deleted. */
    void goes(StoredEntity entity) {
        boolean mayGo = mayGo(entity);
        if (!mayGo && mayFollow(entity)) {
            followers.add(entity);
        } else if (!mayGo) {
            throw new Violation("Expected '" + entity.path + "' to stay, but it was deleted after " + idleMs(entity)
                    + " ms of its " + entity.settings.idleMs() + " ms.");
        }
        model.count(Step.VANISHED);
    }

    private boolean mayFollow(StoredEntity entity) {
        String topic = StoredEntities.topicOf(entity.path);
        return topic != null && model.entities().of(topic).stream().anyMatch(one -> !one.gone && mayGo(one));
    }

    /** The batch is over: whoever has gone with its topic has gone with its topic. */
    public void end() {
        for (StoredEntity follower : followers) {
            String topic = String.valueOf(StoredEntities.topicOf(follower.path));
            if (model.entities().of(topic).stream().anyMatch(one -> !one.gone)) {
                throw new Violation("Expected '" + follower.path + "' to stay as its topic does.");
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

    /** IDLE-7 to IDLE-10: whether it is used as long as that goes on. */
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

    /** IDLE-1: whatever nobody has used for long enough has gone. */
    public void requireGone() {
        for (StoredEntity entity : model.entities().all()) {
            long lateMs = LATE_MS + model.timeline().shard(entity.store).setBackMs();
            if (!entity.gone
                    && entity.settings.idleMs() != Long.MAX_VALUE
                    && idleMs(entity) > entity.settings.idleMs() + lateMs
                    && !isInUse(entity)) {
                throw new Violation("Expected '" + entity.path + "' to go, since nobody has used it for "
                        + idleMs(entity) + " ms, but it stays.");
            }
        }
    }
}
