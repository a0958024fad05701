package dev.jitney.simulation.model.batch;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.model.ReceiveMode;
import dev.jitney.simulation.model.answer.Deliveries;
import dev.jitney.simulation.model.answer.StoredRequests;
import dev.jitney.simulation.model.state.MessageCopy;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.Step;

/** The search for requests that may have removed a message without a lock. */
final class UnlockedRemovals {
    private final ModelState model;
    private final Deliveries deliveries;
    private final Publications publications;

    UnlockedRemovals(ModelState model, Deliveries deliveries, Publications publications) {
        this.model = model;
        this.deliveries = deliveries;
        this.publications = publications;
    }

    /** Finds the reason for the removal of a scheduled message. */
    void cancelled(MessageCopy copy, long nowMs) {
        // A due message is also removed by its timer, perhaps before the cancellation runs.
        boolean published = copy.entity.settings.topic() && copy.row.scheduledMs() <= nowMs;
        for (Request request : model.open()) {
            if (request instanceof StoredRequests.Cancel cancel
                    && cancel.mayTakeEffect()
                    && model.entities().of(cancel.path).contains(copy.entity)) {
                for (int i = 0; i < cancel.numbers.length; i++) {
                    if (cancel.numbers[i] == copy.number && !cancel.cancelled[i]) {
                        cancel.cancelled[i] = !published;
                        cancel.perhaps[i] = published;
                        model.count(published ? Step.ACTIVATED : Step.CANCELLED);
                        return;
                    }
                }
            }
        }
        check(published, "Expected a reason for the removal of a scheduled message, but there is none", copy);
        publications.hasHandedOut(copy.uid, copy.entity);
        model.count(Step.ACTIVATED);
    }

    /**
     * Returns whether a batch delete may have removed a message.
     *
     * @param perhaps whether another reason is possible too
     */
    boolean isPurged(MessageCopy copy, boolean perhaps) {
        for (Request request : model.open()) {
            if (request instanceof StoredRequests.Purge purge
                    && purge.mayTakeEffect()
                    && purge.lane == copy.lane
                    && (perhaps || purge.count < purge.countMax)
                    && copy.isAvailable()
                    && model.entities().of(purge.path).contains(copy.entity)) {
                purge.count += perhaps ? 0 : 1;
                purge.perhaps += perhaps ? 1 : 0;
                model.count(Step.PURGED);
                return true;
            }
        }
        return false;
    }

    /** Returns whether a receive-and-delete request may have fetched a deferred message. */
    boolean isFetched(MessageCopy copy) {
        for (Request request : model.open()) {
            if (request instanceof StoredRequests.Fetch fetch
                    && fetch.mayTakeEffect()
                    && fetch.mode == ReceiveMode.RECEIVE_AND_DELETE
                    && fetch.lane == copy.lane
                    && copy.deferred
                    && fetch.names(copy.number)
                    && model.entities().of(fetch.path).contains(copy.entity)) {
                fetch.taken++;
                copy.entity.taken.put(copy.number, copy);
                model.count(Step.TAKEN);
                return true;
            }
        }
        return false;
    }

    /** Returns whether a receive-and-delete receiver may have removed a message. */
    boolean isTaken(MessageCopy copy) {
        boolean taken = deliveries.mayBeTaken(copy);
        if (taken) {
            copy.entity.taken.put(copy.number, copy);
            model.count(Step.TAKEN);
        }
        return taken;
    }
}
