package dev.jitney.simulation.model.answer;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.simulation.model.entity.Routes;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.TransactionModel;

/** The judge of transactions: each takes effect as a whole or not at all (semantics chapter 16). */
public final class Transactions {
    private final ModelState model;
    private final Answers answers;
    private final Routes routes;

    public Transactions(ModelState model, Answers answers, Routes routes) {
        this.model = model;
        this.answers = answers;
        this.routes = routes;
    }

    /** Ends a transaction. */
    public void end(TransactionModel transaction) {
        transaction.sends.forEach(answers::forget);
        transaction.end();
        model.openTransactions().remove(transaction);
    }

    /** Checks that all operations of a transaction have taken effect, or none (TX-12). */
    public void requireWhole(TransactionModel transaction) {
        boolean some = false;
        boolean all = true;
        for (Request.Send send : transaction.sends) {
            some |= send.storedCount() > 0;
            all &= send.storedCount() == send.messages.size() || !routes.mustStore(send);
        }
        for (Request.Settle settle : transaction.settlements) {
            some |= settle.isTouched();
            all &= settle.isSettled();
        }
        check(all || !some, "Expected all operations of a transaction on the disk, or none", transaction);
    }

    void requireDone(TransactionModel transaction) {
        check(!transaction.isSpoiled(), "Expected no commit after a rejected operation (TX-16)", transaction);
        for (Request.Send send : transaction.sends) {
            check(
                    send.storedCount() == send.messages.size() || !routes.mustStore(send),
                    "Expected committed messages to be on the disk",
                    send);
            answers.requireTaken(send, transaction.askedAt());
        }
        for (Request.Settle settle : transaction.settlements) {
            check(settle.isSettled(), "Expected a committed settlement to be on the disk", settle);
        }
    }

    void requireUndone(TransactionModel transaction) {
        for (Request.Send send : transaction.sends) {
            check(send.storedCount() == 0, "Expected no messages of a transaction that was rolled back", send);
        }
        for (Request.Settle settle : transaction.settlements) {
            check(!settle.isTouched(), "Expected no settlements of a transaction that was rolled back", settle);
        }
    }
}
