package dev.jitney.simulation.model;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.core.Lane;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.rule.Rule;
import dev.jitney.simulation.model.answer.Deliveries;
import dev.jitney.simulation.model.batch.Outboxes;
import dev.jitney.simulation.model.entity.IdleDeletion;
import dev.jitney.simulation.model.entity.Rules;
import dev.jitney.simulation.model.state.Listener;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.StoredEntity;
import java.util.List;

/** The conditions that must hold between turns. */
public final class Audit {
    private final ModelState model;
    private final Rules rules;
    private final IdleDeletion idling;
    private final Deliveries deliveries;
    private final Outboxes outboxes;

    Audit(ModelState model, Rules rules, IdleDeletion idling, Deliveries deliveries, Outboxes outboxes) {
        this.model = model;
        this.rules = rules;
        this.idling = idling;
        this.deliveries = deliveries;
        this.outboxes = outboxes;
    }

    /** Checks that the counters shown for an entity equal the counters of the model (CNT-1). */
    public void checkCounts(String path, MessageCounts shown) {
        List<StoredEntity> all = model.entities().of(path);
        if (!all.isEmpty() && all.get(0).isFragment()) {
            checkSum(path, all, shown);
            return;
        }
        for (StoredEntity entity : all) {
            MessageCounts there = new MessageCounts(
                    entity.lane(Lane.MAIN).size(),
                    entity.lane(Lane.DEAD_LETTER).size(),
                    entity.lane(Lane.SCHEDULED).size(),
                    entity.outgoing,
                    entity.lane(Lane.TRANSFER_DEAD_LETTER).size(),
                    entity.deferred,
                    deliveries.isBeingLeft(path) ? shown.locked() : entity.locked,
                    shown.sizeBytes());
            check(there.equals(shown), () -> "Expected the counters to be " + there + ", but got " + shown, path);
        }
    }

    /**
     * Checks the counters of a partitioned entity, which are sums (PART-57). Only the fragments know the locks of
     * messages that were fetched for a receiver before it requests them (PART-13).
     */
    private void checkSum(String path, List<StoredEntity> parts, MessageCounts shown) {
        long locked = parts.stream().mapToLong(part -> part.locked).sum();
        boolean known = shown.locked() < locked && !deliveries.isBeingLeft(path);
        MessageCounts there = new MessageCounts(
                count(parts, Lane.MAIN),
                count(parts, Lane.DEAD_LETTER),
                count(parts, Lane.SCHEDULED),
                parts.stream().mapToLong(part -> part.outgoing).sum(),
                count(parts, Lane.TRANSFER_DEAD_LETTER),
                parts.stream().mapToLong(part -> part.deferred).sum(),
                known ? locked : shown.locked(),
                shown.sizeBytes());
        check(
                there.equals(shown),
                () -> "Expected the counters of all fragments to be " + there + ", but got " + shown,
                path);
    }

    private static long count(List<StoredEntity> parts, Lane lane) {
        return parts.stream().mapToLong(part -> part.lane(lane).size()).sum();
    }

    /** Checks that the rules shown for a subscription equal the rules of the model. */
    public void checkRules(String path, List<Rule> shown) {
        rules.requireShown(path, shown);
    }

    /**
     * Checks, when no shard has work, that no receiver waits for a message that was fetched for another receiver
     * without credit (PART-13, PART-60). Ignores fragments of unavailable stores.
     */
    public void checkFetches() {
        for (Listener listener : model.listeners()) {
            if (listener.isFetching() && !model.entities().of(listener.path).isEmpty()) {
                deliveries.requireNobodyWaits(listener);
            }
        }
    }

    /**
     * Checks, when no shard has work and there are no faults, that every request has a reply and no receiver waits for
     * an available message.
     */
    public void checkRest() {
        check(model.pending().isEmpty(), "Expected a reply to every request", model.pending());
        model.listeners().forEach(deliveries::requireNobodyWaits);
        outboxes.requireAtRest();
        idling.requireGone();
    }
}
