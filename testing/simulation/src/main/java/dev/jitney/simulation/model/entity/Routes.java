package dev.jitney.simulation.model.entity;

import dev.jitney.core.Lane;
import dev.jitney.simulation.model.state.EntitySettings;
import dev.jitney.simulation.model.state.MessageCopy;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.StoredEntity;

/** The possible destinations of messages, from entity to entity. */
public final class Routes {
    private static final int DEPTH_MAX = 8;

    private final ModelState model;
    private final Rules rules;

    public Routes(ModelState model, Rules rules) {
        this.model = model;
        this.rules = rules;
    }

    /** Returns whether an entity keeps the messages sent to it. Returns false if it was just deleted. */
    public boolean isPlain(String path) {
        if (model.entities().of(path).isEmpty()) {
            return false;
        }
        for (StoredEntity entity : model.entities().of(path)) {
            if (entity.settings.topic() || entity.settings.forwards() || entity.before.forwards()) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the messages of a successful send must be in the entity they were sent to. */
    public boolean mustStore(Request.Send send) {
        return isPlain(send.path) && !mayRecognise(send.path);
    }

    /** Returns whether an entity may drop a duplicate message. */
    public boolean mayRecognise(String path) {
        return model.entities().of(path).stream().anyMatch(entity -> entity.settings.detectsDuplicates());
    }

    /** Returns whether a message sent to {@code path} may arrive at an entity by the current rules. */
    public boolean leads(String path, StoredEntity to, long uid) {
        return leads(path, to, uid, 0);
    }

    /** Returns whether a message sent to the entity with this number may arrive at an entity by the current rules. */
    public boolean leads(long entityId, StoredEntity to, long uid) {
        StoredEntity from = model.entities().ofEntity(entityId);
        return from != null && (from == to || leads(from.path, to, uid));
    }

    private boolean leads(String path, StoredEntity to, long uid, int depth) {
        if (depth > DEPTH_MAX) {
            return false;
        }
        for (StoredEntity entity : model.entities().of(path)) {
            if (entity == to
                    || onwards(entity, entity.settings, to, uid, depth)
                    || onwards(entity, entity.before, to, uid, depth)) {
                return true;
            }
        }
        return false;
    }

    private boolean onwards(StoredEntity entity, EntitySettings settings, StoredEntity to, long uid, int depth) {
        if (settings.forwardTo() != null && leads(settings.forwardTo(), to, uid, depth + 1)) {
            return true;
        }
        if (settings.topic()) {
            for (String subscription : model.entities().subscriptions(entity.path)) {
                StoredEntity taker = model.entities().of(subscription).get(0);
                if (rules.takes(taker, uid) && leads(subscription, to, uid, depth + 1)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns whether a message sent to {@code path} may pass through an entity that forwards. */
    public boolean passes(String path, StoredEntity through, long uid) {
        return leads(path, through, uid) && (through.settings.forwards() || through.before.forwards());
    }

    public boolean passes(long entityId, StoredEntity through, long uid) {
        return leads(entityId, through, uid) && (through.settings.forwards() || through.before.forwards());
    }

    /** Returns whether a message may be dropped at its destination: no subscription selects it, or it is a duplicate. */
    public boolean mayVanish(MessageCopy copy) {
        String to = copy.lane == Lane.DEAD_LETTER
                ? copy.entity.settings.forwardDeadLettersTo()
                : copy.entity.settings.forwardTo();
        return to != null && vanishes(to, 0);
    }

    private boolean vanishes(String path, int depth) {
        if (depth > DEPTH_MAX) {
            return false;
        }
        for (StoredEntity entity : model.entities().of(path)) {
            if (entity.settings.topic() || entity.settings.detectsDuplicates()) {
                return true;
            }
            if (entity.settings.forwardTo() != null && vanishes(entity.settings.forwardTo(), depth + 1)) {
                return true;
            }
        }
        return false;
    }
}
