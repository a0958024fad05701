package dev.jitney.simulation.model;

import dev.jitney.model.ReceiveMode;

/** Who may have taken a message away that nobody had locked. */
final class Takers {
    private final Ledger ledger;
    private final BatchJudge judge;
    private final Publications publications;

    Takers(Ledger ledger, BatchJudge judge, Publications publications) {
        this.ledger = ledger;
        this.judge = judge;
        this.publications = publications;
    }

    /** A message that waits for its time goes. */
    void cancelled(Copy copy, long nowMs) {
        // What is due goes by itself too, perhaps before the letter is opened.
        boolean published = copy.shelf.settings.topic() && copy.row.scheduledMs() <= nowMs;
        for (Request request : ledger.open()) {
            if (request instanceof StoredRequests.Cancel cancel
                    && cancel.mayTakeEffect()
                    && ledger.shelves().of(cancel.path).contains(copy.shelf)) {
                for (int i = 0; i < cancel.numbers.length; i++) {
                    if (cancel.numbers[i] == copy.number && !cancel.cancelled[i]) {
                        cancel.cancelled[i] = !published;
                        cancel.perhaps[i] = published;
                        judge.count(published ? Step.ACTIVATED : Step.CANCELLED);
                        return;
                    }
                }
            }
        }
        ledger.check(published, "Expected a scheduled message to stay, but it has gone", copy);
        publications.hasHandedOut(copy.uid, copy.shelf);
        judge.count(Step.ACTIVATED);
    }

    /**
     * Whether a batch delete may have removed a message.
     *
     * @param perhaps it may as well have gone for another reason
     */
    boolean isPurged(Copy copy, boolean perhaps) {
        for (Request request : ledger.open()) {
            if (request instanceof StoredRequests.Purge purge
                    && purge.mayTakeEffect()
                    && purge.lane == copy.lane
                    && (perhaps || purge.count < purge.countMax)
                    && copy.isAvailable()
                    && ledger.shelves().of(purge.path).contains(copy.shelf)) {
                purge.count += perhaps ? 0 : 1;
                purge.perhaps += perhaps ? 1 : 0;
                judge.count(Step.PURGED);
                return true;
            }
        }
        return false;
    }

    /** Whether somebody has asked for a deferred message for good. */
    boolean isFetched(Copy copy) {
        for (Request request : ledger.open()) {
            if (request instanceof StoredRequests.Fetch fetch
                    && fetch.mayTakeEffect()
                    && fetch.mode == ReceiveMode.RECEIVE_AND_DELETE
                    && fetch.lane == copy.lane
                    && copy.deferred
                    && fetch.names(copy.number)
                    && ledger.shelves().of(fetch.path).contains(copy.shelf)) {
                fetch.taken++;
                copy.shelf.taken.put(copy.number, copy);
                judge.count(Step.TAKEN);
                return true;
            }
        }
        return false;
    }

    /** Whether a receiver may have taken a message for good. */
    boolean isTaken(Copy copy) {
        boolean taken = ledger.deliveries().mayBeTaken(copy);
        if (taken) {
            copy.shelf.taken.put(copy.number, copy);
            judge.count(Step.TAKEN);
        }
        return taken;
    }
}
