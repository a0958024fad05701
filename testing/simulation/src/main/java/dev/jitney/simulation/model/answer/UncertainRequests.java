package dev.jitney.simulation.model.answer;

import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.StoredEntity;
import java.util.List;

/** The requests whose replies leave their effect unknown, until the store has shown its rows. */
public final class UncertainRequests {
    private final ModelState model;
    private final Answers answers;

    public UncertainRequests(ModelState model, Answers answers) {
        this.model = model;
        this.answers = answers;
    }

    /** Drops all requests, because none can take effect any more. */
    public void clear() {
        model.uncertain().forEach(this::forget);
        model.uncertain().clear();
    }

    /** Drops the requests of a store, because the disk has shown their effects. */
    public void settle(int store) {
        model.uncertain().removeIf(request -> {
            List<StoredEntity> of = entitiesOf(request);
            boolean settled = of.isEmpty() || (of.get(0).isFragment() ? isBack(of, store) : of.get(0).store == store);
            if (settled) {
                forget(request);
            }
            return settled;
        });
    }

    /**
     * Returns the entities where a request may take effect. An operation in a transaction takes effect at the home of
     * the transaction.
     */
    private List<StoredEntity> entitiesOf(Request request) {
        if (request.transaction != null) {
            return model.entities().of(request.transaction.home);
        }
        StoredEntity one = model.entities().isPartitioned(request.path) ? request.part(model.entities()) : null;
        return one == null ? model.entities().of(request.path) : List.of(one);
    }

    private void forget(Request request) {
        if (request instanceof Request.Send send) {
            answers.forget(send);
        } else if (request instanceof Request.Settle settle) {
            settle.forget();
        }
    }

    /** Returns whether all stores with fragments of an entity work, one of which is open again. */
    private boolean isBack(List<StoredEntity> parts, int store) {
        return parts.stream()
                .allMatch(part -> part.store == store
                        || !model.timeline().shard(part.store).isTroubled());
    }
}
