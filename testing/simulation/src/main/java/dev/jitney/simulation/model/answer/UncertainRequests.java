package dev.jitney.simulation.model.answer;

import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.StoredEntity;
import java.util.List;

/** Requests whose answers leave open whether they have happened, until the store has shown what it has. */
public final class UncertainRequests {
    private final ModelState model;
    private final Answers answers;

    public UncertainRequests(ModelState model, Answers answers) {
        this.model = model;
        this.answers = answers;
    }

    /** Nothing more can come of any of them. */
    public void clear() {
        model.uncertain().forEach(this::forget);
        model.uncertain().clear();
    }

    /** No more can come of what is uncertain: the disk has shown model.uncertain(). */
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

    /** Where a request has happened if it has; what is done in a transaction is where that began, wherever it leads. */
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

    /** Whether all stores that have fragments of an entity work, of which one has come back. */
    private boolean isBack(List<StoredEntity> parts, int store) {
        return parts.stream()
                .allMatch(part -> part.store == store
                        || !model.timeline().shard(part.store).isTroubled());
    }
}
