package dev.jitney.simulation.model.batch;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.simulation.model.entity.Rules;
import dev.jitney.simulation.model.row.VisibleProperties;
import dev.jitney.simulation.model.state.MessageCopy;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.OutboxMessage;
import dev.jitney.simulation.model.state.StoredEntities;
import dev.jitney.simulation.model.state.StoredEntity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The checks of message properties. A message has the properties it was sent with, or those that the action of a rule
 * has set in its copy.
 */
final class PropertyRules {
    private final ModelState model;
    private final Rules rules;
    private final Outboxes outboxes;

    PropertyRules(ModelState model, Rules rules, Outboxes outboxes) {
        this.model = model;
        this.rules = rules;
        this.outboxes = outboxes;
    }

    /** Checks a message that remains in its entity. */
    void stays(MessageCopy from, MessageCopy to) {
        check(
                from.visible.equals(to.visible),
                () -> "Expected a message with the properties " + from.visible + ", but got " + to.visible,
                to);
    }

    /** Checks a message that arrives in a queue or topic. */
    void comes(@Nullable MessageCopy from, MessageCopy to) {
        requireKnown(from, to.uid, to.visible, to);
    }

    /** Checks a message that enters an outbox. */
    void departs(@Nullable MessageCopy from, OutboxMessage transfer) {
        requireKnown(from, transfer.uid, transfer.visible, transfer);
    }

    private void requireKnown(@Nullable MessageCopy from, long uid, VisibleProperties visible, Object about) {
        List<OutboxMessage> landed = outboxes.landed(uid);
        boolean known = from != null && !from.entity.settings.topic()
                ? visible.equals(from.visible)
                : landed.isEmpty()
                        ? visible.equals(rules.visible(uid))
                        : landed.stream().anyMatch(transfer -> transfer.visible.equals(visible));
        check(
                known || isForwarded(uid, visible),
                () -> "Expected the properties of the sent message or those set by a rule, but got " + visible,
                about);
    }

    /** Returns whether some subscription forwards such a copy. */
    private boolean isForwarded(long uid, VisibleProperties visible) {
        for (StoredEntity entity : model.entities().all()) {
            boolean handsOn = !entity.gone && (entity.settings.forwards() || entity.before.forwards());
            if (handsOn && StoredEntities.topicOf(entity.path) != null) {
                for (Rules.Due due : rules.copies(entity, uid)) {
                    if (due.visible().equals(visible)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }
}
