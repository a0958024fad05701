package dev.jitney.simulation.model;

import dev.jitney.core.Lane;
import dev.jitney.simulation.Violation;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What topics hand to their subscriptions in a batch: each message to all that take it by the rules of the moment (RULE-11),
 * and to no other.
 */
final class Publications {
    private final Ledger ledger;
    private final Set<Place> published = new HashSet<>();
    private final Set<Copied> arrived = new HashSet<>();

    /** What the rules of subscriptions say has to arrive. */
    private final Set<Copied> due = new LinkedHashSet<>();

    /** A message and the topic that has handed it out. */
    private record Place(long uid, Shelf shelf) {}

    /** A message and a subscription that gets it, with what it looks like there and why it gets it. */
    private record Copied(long uid, Shelf shelf, Rules.Due due) {}

    Publications(Ledger ledger) {
        this.ledger = ledger;
    }

    void begin() {
        published.clear();
        arrived.clear();
        due.clear();
    }

    /** A message comes to a subscription that had not had it: once as it is, and once for each rule that changes it (RULE-5). */
    void arrives(Copy copy) {
        Shelf topic = topicOf(copy.shelf);
        if (topic == null) {
            return;
        }
        List<Rules.Due> wanted = ledger.rules().copies(copy.shelf, copy.uid);
        Rules.Due one = wanted.stream()
                .filter(due -> due.look().equals(copy.look)
                        && copy.lane == lane(due, copy.shelf)
                        && !arrived.contains(new Copied(copy.uid, copy.shelf, due)))
                .findFirst()
                .orElse(null);
        if (one == null) {
            throw new Violation(
                    "Expected a subscription to get what it takes only, each once and in its lane (DLQ-17, DLQ-25),"
                            + " which is " + wanted + ", but " + copy + " comes as " + copy.look + ".");
        }
        arrived.add(new Copied(copy.uid, copy.shelf, one));
        if (one.failed()) {
            ledger.judge().count(Step.RULE_FAILED);
        } else if (!one.look().equals(ledger.rules().look(copy.uid))) {
            ledger.judge().count(Step.ACTED);
        }
        hasHandedOut(copy.uid, topic);
    }

    /** DLQ-17, DLQ-25. */
    private static Lane lane(Rules.Due due, Shelf subscription) {
        boolean unfit = subscription.settings.sessions() && due.look().get("sys.sessionid") == null;
        return due.failed() || unfit ? Lane.DEAD_LETTER : Lane.MAIN;
    }

    private @Nullable Shelf topicOf(Shelf shelf) {
        String path = Shelves.topicOf(shelf.path);
        return path == null || ledger.shelves().of(path).isEmpty()
                ? null
                : ledger.shelves().of(path).get(0);
    }

    /** A topic has handed out a message, perhaps to nobody. */
    void hasHandedOut(long uid, Shelf topic) {
        if (!published.add(new Place(uid, topic))) {
            return;
        }
        ledger.idling().used(topic);
        for (String path : ledger.shelves().subscriptions(topic.path)) {
            Shelf subscription = ledger.shelves().of(path).get(0);
            boolean keeps = !subscription.gone && !subscription.settings.forwards();
            if (keeps) {
                ledger.rules().copies(subscription, uid).forEach(one -> due.add(new Copied(uid, subscription, one)));
            }
        }
    }

    /** A topic has taken a message from another entity. */
    void landed(long uid, Shelf topic) {
        boolean waits = topic.lane(Lane.SCHEDULED).values().stream().anyMatch(copy -> copy.uid == uid);
        boolean mayBeDropped = topic.settings.detectsDuplicates();
        if (!waits && !mayBeDropped) {
            hasHandedOut(uid, topic);
        }
    }

    void end() {
        for (Copied copied : due) {
            if (!arrived.contains(copied)) {
                throw new Violation("Expected a copy of message " + copied.uid + " in " + copied.shelf.path
                        + ", whose rules take it, as " + copied.due + ".");
            }
        }
    }
}
