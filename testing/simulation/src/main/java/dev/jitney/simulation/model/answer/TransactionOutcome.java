package dev.jitney.simulation.model.answer;

import dev.jitney.core.Reply;
import dev.jitney.model.Rejection;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.TransactionModel;

/** A request to commit or roll back a transaction. */
public final class TransactionOutcome extends Request {
    private final Transactions transactions;
    private final TransactionModel of;
    private final boolean commit;

    public TransactionOutcome(Judge judge, Transactions transactions, TransactionModel of, boolean commit) {
        super(judge, of.home);
        this.transactions = transactions;
        this.of = of;
        this.commit = commit;
    }

    @Override
    public void done(Reply reply) {
        if (commit && !of.isOver()) {
            transactions.requireDone(of);
        } else {
            transactions.requireUndone(of);
        }
        transactions.end(of);
    }

    @Override
    public boolean isAboutState() {
        return !of.sends.isEmpty() || !of.settlements.isEmpty();
    }

    @Override
    public void use() {}

    @Override
    public void undone(Rejection rejection) {
        transactions.requireUndone(of);
        transactions.end(of);
    }

    @Override
    public String toString() {
        return (commit ? "Commit" : "Rollback") + " of " + of;
    }
}
