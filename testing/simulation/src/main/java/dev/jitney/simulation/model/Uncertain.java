package dev.jitney.simulation.model;

import java.util.ArrayList;
import java.util.List;

/** Requests whose answers leave open whether they have happened, until the store has shown what it has. */
final class Uncertain {
    private final Ledger ledger;
    private final List<Request> all = new ArrayList<>();

    Uncertain(Ledger ledger) {
        this.ledger = ledger;
    }

    List<Request> all() {
        return all;
    }

    void add(Request request) {
        all.add(request);
    }

    /** Nothing more can come of any of them. */
    void clear() {
        all.forEach(this::forget);
        all.clear();
    }

    /** No more can come of what is uncertain: the disk has shown all. */
    void settle(int store) {
        all.removeIf(request -> {
            List<Shelf> of = shelvesOf(request);
            boolean settled = of.isEmpty() || (of.get(0).isPart() ? isBack(of, store) : of.get(0).store == store);
            if (settled) {
                forget(request);
            }
            return settled;
        });
    }

    /** Where a request has happened if it has; what is done in a transaction is where that began, wherever it leads. */
    private List<Shelf> shelvesOf(Request request) {
        if (request.dealing != null) {
            return ledger.shelves().of(request.dealing.home);
        }
        Shelf one = ledger.shelves().isPartitioned(request.path) ? request.part() : null;
        return one == null ? ledger.shelves().of(request.path) : List.of(one);
    }

    private void forget(Request request) {
        if (request instanceof Request.Send send) {
            ledger.answers().forget(send);
        } else if (request instanceof Request.Settle settle) {
            settle.forget();
        }
    }

    /** Whether all stores that have fragments of an entity work, of which one has come back. */
    private boolean isBack(List<Shelf> parts, int store) {
        return parts.stream()
                .allMatch(
                        part -> part.store == store || !ledger.shard(part.store).isTroubled());
    }
}
