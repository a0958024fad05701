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

/** What messages look like on their way: as they were sent, or as the action of a rule has made a copy. */
final class PropertyRules {
    private final ModelState model;
    private final Rules rules;
    private final Outboxes outboxes;

    PropertyRules(ModelState model, Rules rules, Outboxes outboxes) {
        this.model = model;
        this.rules = rules;
        this.outboxes = outboxes;
    }

    /** A message stays in its entity. */
    void stays(MessageCopy from, MessageCopy to) {
        check(
                from.visible.equals(to.visible),
                () -> "Expected a message to stay " + from.visible + ", but it becomes " + to.visible,
                to);
    }

    /** A message comes to an entity that is no subscription. */
    void comes(@Nullable MessageCopy from, MessageCopy to) {
        requireKnown(from, to.uid, to.visible, to);
    }

    /** A message enters an outbox. */
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
                () -> "Expected a message as it was sent or as a rule makes it, but it is " + visible,
                about);
    }

    /** Whether some subscription hands on such a copy. */
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
