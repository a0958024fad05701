package dev.jitney.simulation.model;

import dev.jitney.core.Lane;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.Rule;
import java.util.List;

/** What is to be true whenever nobody is in the middle of something. */
public final class Audit {
    private final Ledger ledger;

    Audit(Ledger ledger) {
        this.ledger = ledger;
    }

    /** CNT-1: the counters that are shown of an entity equal what is in it. */
    public void checkCounts(String path, MessageCounts shown) {
        List<Shelf> all = ledger.shelves().of(path);
        if (!all.isEmpty() && all.get(0).isPart()) {
            checkSum(path, all, shown);
            return;
        }
        for (Shelf shelf : all) {
            MessageCounts there = new MessageCounts(
                    shelf.lane(Lane.MAIN).size(),
                    shelf.lane(Lane.DEAD_LETTER).size(),
                    shelf.lane(Lane.SCHEDULED).size(),
                    shelf.outgoing,
                    shelf.lane(Lane.TRANSFER_DEAD_LETTER).size(),
                    shelf.deferred,
                    ledger.deliveries().isBeingLeft(path) ? shown.locked() : shelf.locked,
                    shown.sizeBytes());
            ledger.check(
                    there.equals(shown),
                    () -> "Expected the counters to be shown as " + there + ", but they are " + shown,
                    path);
        }
    }

    /** PART-57: sums; what is locked for somebody who has not asked for it yet is known to the fragments alone (PART-13). */
    private void checkSum(String path, List<Shelf> parts, MessageCounts shown) {
        long locked = parts.stream().mapToLong(part -> part.locked).sum();
        boolean known = shown.locked() < locked && !ledger.deliveries().isBeingLeft(path);
        MessageCounts there = new MessageCounts(
                count(parts, Lane.MAIN),
                count(parts, Lane.DEAD_LETTER),
                count(parts, Lane.SCHEDULED),
                parts.stream().mapToLong(part -> part.outgoing).sum(),
                count(parts, Lane.TRANSFER_DEAD_LETTER),
                parts.stream().mapToLong(part -> part.deferred).sum(),
                known ? locked : shown.locked(),
                shown.sizeBytes());
        ledger.check(
                there.equals(shown),
                () -> "Expected the counters of all fragments to be shown as " + there + ", but they are " + shown,
                path);
    }

    private static long count(List<Shelf> parts, Lane lane) {
        return parts.stream().mapToLong(part -> part.lane(lane).size()).sum();
    }

    /** The rules that are shown of a subscription are those that it has. */
    public void checkRules(String path, List<Rule> shown) {
        ledger.rules().requireShown(path, shown);
    }

    /**
     * PART-13, PART-60: nobody works any more, and no receiver waits for a message that another one has fetched and not asked
     * for. Fragments of stores that do not work are left out.
     */
    public void checkFetches() {
        for (Listener listener : ledger.listeners()) {
            if (listener.isFetching() && !ledger.shelves().of(listener.path).isEmpty()) {
                ledger.deliveries().requireNobodyWaits(listener);
            }
        }
    }

    /** Nobody works any more and nothing is wrong: every request was answered, and nobody waits for what is there. */
    public void checkRest() {
        ledger.check(ledger.pending().isEmpty(), "Expected every request to be answered", ledger.pending());
        ledger.listeners().forEach(ledger.deliveries()::requireNobodyWaits);
        ledger.judge().outboxes().requireAtRest();
        ledger.idling().requireGone();
    }
}
