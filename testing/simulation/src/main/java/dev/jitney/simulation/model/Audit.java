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

/** What is to be true whenever nobody is in the middle of something. */
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

    /** CNT-1: the counters that are shown of an entity equal what is in it. */
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
            check(
                    there.equals(shown),
                    () -> "Expected the counters to be shown as " + there + ", but they are " + shown,
                    path);
        }
    }

    /** PART-57: sums; what is locked for somebody who has not asked for it yet is known to the fragments alone (PART-13). */
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
                () -> "Expected the counters of all fragments to be shown as " + there + ", but they are " + shown,
                path);
    }

    private static long count(List<StoredEntity> parts, Lane lane) {
        return parts.stream().mapToLong(part -> part.lane(lane).size()).sum();
    }

    /** The rules that are shown of a subscription are those that it has. */
    public void checkRules(String path, List<Rule> shown) {
        rules.requireShown(path, shown);
    }

    /**
     * PART-13, PART-60: nobody works any more, and no receiver waits for a message that another one has fetched and not asked
     * for. Fragments of stores that do not work are left out.
     */
    public void checkFetches() {
        for (Listener listener : model.listeners()) {
            if (listener.isFetching() && !model.entities().of(listener.path).isEmpty()) {
                deliveries.requireNobodyWaits(listener);
            }
        }
    }

    /** Nobody works any more and nothing is wrong: every request was answered, and nobody waits for what is there. */
    public void checkRest() {
        check(model.pending().isEmpty(), "Expected every request to be answered", model.pending());
        model.listeners().forEach(deliveries::requireNobodyWaits);
        outboxes.requireAtRest();
        idling.requireGone();
    }
}
