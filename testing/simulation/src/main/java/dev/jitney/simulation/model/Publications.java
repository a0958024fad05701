package dev.jitney.simulation.model;

import dev.jitney.core.Lane;
import dev.jitney.simulation.Violation;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What topics hand to their subscriptions in a batch: each message to all that take it by the rules of the moment (RULE-11),
 * and to no other.
 */
final class Publications {
    private final Ledger ledger;
    private final Set<Place> published = new HashSet<>();
    private final Set<Place> arrived = new HashSet<>();

    /** What the rules of subscriptions say has to arrive. */
    private final Set<Place> due = new LinkedHashSet<>();

    /** A message and the topic that has handed it out, or a subscription that gets it. */
    private record Place(long uid, Shelf shelf) {}

    Publications(Ledger ledger) {
        this.ledger = ledger;
    }

    void begin() {
        published.clear();
        arrived.clear();
        due.clear();
    }

    /** A message comes to an entity that had not had it; only of subscriptions it matters. */
    void arrives(long uid, Shelf shelf) {
        Shelf topic = topicOf(shelf);
        if (topic != null) {
            if (!ledger.rules().takes(shelf, uid)) {
                throw new Violation("Expected a subscription to get what it takes only, but message " + uid
                        + " comes to " + shelf.path + ".");
            }
            arrived.add(new Place(uid, shelf));
            hasHandedOut(uid, topic);
        }
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
            if (keeps && ledger.rules().takes(subscription, uid)) {
                due.add(new Place(uid, subscription));
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
        for (Place place : due) {
            if (!arrived.contains(place)) {
                throw new Violation("Expected a copy of message " + place.uid + " in " + place.shelf.path
                        + ", whose rules take it.");
            }
        }
    }
}
