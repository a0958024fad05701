package dev.jitney.simulation.model.batch;

import dev.jitney.core.Lane;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.model.entity.IdleDeletion;
import dev.jitney.simulation.model.entity.Rules;
import dev.jitney.simulation.model.state.MessageCopy;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Step;
import dev.jitney.simulation.model.state.StoredEntities;
import dev.jitney.simulation.model.state.StoredEntity;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The messages that topics publish in a batch. Each message goes to all subscriptions whose current rules select it
 * (RULE-11), and to no other subscription.
 */
final class Publications {
    private final ModelState model;
    private final Rules rules;
    private final IdleDeletion idling;
    private final Set<Place> published = new HashSet<>();
    private final Set<Copied> arrived = new HashSet<>();

    /** The copies that must arrive according to the rules of subscriptions. */
    private final Set<Copied> due = new LinkedHashSet<>();

    /** A message and the topic that has published it. */
    private record Place(long uid, StoredEntity entity) {}

    /** A message and a subscription that gets it, with the rule result for the copy. */
    private record Copied(long uid, StoredEntity entity, Rules.Due due) {}

    Publications(ModelState model, Rules rules, IdleDeletion idling) {
        this.model = model;
        this.rules = rules;
        this.idling = idling;
    }

    void begin() {
        published.clear();
        arrived.clear();
        due.clear();
    }

    /** Checks a new message in a subscription: once unchanged, and once for each rule that changes it (RULE-5). */
    void arrives(MessageCopy copy) {
        StoredEntity topic = topicOf(copy.entity);
        if (topic == null) {
            return;
        }
        List<Rules.Due> wanted = rules.copies(copy.entity, copy.uid);
        Rules.Due one = wanted.stream()
                .filter(due -> due.visible().equals(copy.visible)
                        && copy.lane == lane(due, copy.entity)
                        && !arrived.contains(new Copied(copy.uid, copy.entity, due)))
                .findFirst()
                .orElse(null);
        if (one == null) {
            throw new Violation(
                    "Expected a subscription to get each selected copy once and in its lane (DLQ-17, DLQ-25),"
                            + " and these copies are " + wanted + ", but " + copy + " arrived with " + copy.visible
                            + ".");
        }
        arrived.add(new Copied(copy.uid, copy.entity, one));
        if (one.failed()) {
            model.count(Step.RULE_FAILED);
        } else if (!one.visible().equals(rules.visible(copy.uid))) {
            model.count(Step.ACTED);
        }
        hasHandedOut(copy.uid, topic);
    }

    /** Returns the lane of a copy (DLQ-17, DLQ-25). */
    private static Lane lane(Rules.Due due, StoredEntity subscription) {
        boolean unfit = subscription.settings.sessions() && due.visible().get("sys.sessionid") == null;
        return due.failed() || unfit ? Lane.DEAD_LETTER : Lane.MAIN;
    }

    private @Nullable StoredEntity topicOf(StoredEntity entity) {
        String path = StoredEntities.topicOf(entity.path);
        return path == null || model.entities().of(path).isEmpty()
                ? null
                : model.entities().of(path).get(0);
    }

    /** Called when a topic has published a message, perhaps to no subscription. */
    void hasHandedOut(long uid, StoredEntity topic) {
        if (!published.add(new Place(uid, topic))) {
            return;
        }
        idling.used(topic);
        for (String path : model.entities().subscriptions(topic.path)) {
            StoredEntity subscription = model.entities().of(path).get(0);
            boolean keeps = !subscription.gone && !subscription.settings.forwards();
            if (keeps) {
                rules.copies(subscription, uid).forEach(one -> due.add(new Copied(uid, subscription, one)));
            }
        }
    }

    /** Called when a topic has stored a message forwarded by another entity. */
    void landed(long uid, StoredEntity topic) {
        boolean waits = topic.lane(Lane.SCHEDULED).values().stream().anyMatch(copy -> copy.uid == uid);
        boolean mayBeDropped = topic.settings.detectsDuplicates();
        if (!waits && !mayBeDropped) {
            hasHandedOut(uid, topic);
        }
    }

    void end() {
        for (Copied copied : due) {
            if (!arrived.contains(copied)) {
                throw new Violation("Expected a copy of message " + copied.uid + " in " + copied.entity.path
                        + ", whose rules select it, with " + copied.due + ".");
            }
        }
    }
}
