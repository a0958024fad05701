package dev.jitney.simulation.model;

import dev.jitney.core.Reply;
import dev.jitney.model.Rejection;

/** The end of a transaction. */
final class Outcome extends Request {
    private final Dealing of;
    private final boolean commit;

    Outcome(Ledger ledger, Dealing of, boolean commit) {
        super(ledger, of.home);
        this.of = of;
        this.commit = commit;
    }

    @Override
    void done(Reply reply) {
        if (commit && !of.isOver()) {
            of.requireDone();
        } else {
            of.requireUndone();
        }
        ledger.end(of);
    }

    @Override
    void use() {}

    @Override
    void undone(Rejection rejection) {
        of.requireUndone();
        ledger.end(of);
    }

    @Override
    public String toString() {
        return (commit ? "Commit" : "Rollback") + " of " + of;
    }
}
