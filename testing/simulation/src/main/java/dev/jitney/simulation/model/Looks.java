package dev.jitney.simulation.model;

import dev.jitney.model.MessageView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What messages look like on their way: as they were sent, or as the action of a rule has made a copy. */
final class Looks {
    private final Ledger ledger;
    private final Outboxes outboxes;

    Looks(Ledger ledger, Outboxes outboxes) {
        this.ledger = ledger;
        this.outboxes = outboxes;
    }

    /** A message stays in its entity. */
    void stays(Copy from, Copy to) {
        ledger.check(
                from.look.equals(to.look),
                () -> "Expected a message to stay " + from.look + ", but it becomes " + to.look,
                to);
    }

    /** A message comes to an entity that is no subscription. */
    void comes(@Nullable Copy from, Copy to) {
        requireKnown(from, to.uid, to.look, to);
    }

    /** A message enters an outbox. */
    void departs(@Nullable Copy from, Flight flight) {
        requireKnown(from, flight.uid, flight.look, flight);
    }

    private void requireKnown(@Nullable Copy from, long uid, Look look, Object about) {
        List<Flight> landed = outboxes.landed(uid);
        boolean known = from != null && !from.shelf.settings.topic()
                ? look.equals(from.look)
                : landed.isEmpty()
                        ? look.equals(ledger.rules().look(uid))
                        : landed.stream().anyMatch(flight -> flight.look.equals(look));
        ledger.check(
                known || isForwarded(uid, look),
                () -> "Expected a message as it was sent or as a rule makes it, but it is " + look,
                about);
    }

    /** Whether some subscription hands on such a copy. */
    private boolean isForwarded(long uid, Look look) {
        for (Shelf shelf : ledger.shelves().all()) {
            boolean handsOn = !shelf.gone && (shelf.settings.forwards() || shelf.before.forwards());
            if (handsOn && Shelves.topicOf(shelf.path) != null) {
                for (Rules.Due due : ledger.rules().copies(shelf, uid)) {
                    if (due.look().equals(look)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** A client sees a message. */
    void seen(Copy copy, MessageView view) {
        Look seen = LookBytes.look(view);
        ledger.check(
                copy.look.equals(seen),
                () -> "Expected a message that looks as " + copy.look + ", but got " + seen,
                copy);
    }
}
