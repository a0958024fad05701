package dev.jitney.simulation.model.answer;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.simulation.model.entity.Routes;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.TransactionModel;

/** Whether transactions end as their clients are told: whole, or not at all (semantics chapter 16). */
public final class Transactions {
    private final ModelState model;
    private final Answers answers;
    private final Routes routes;

    public Transactions(ModelState model, Answers answers, Routes routes) {
        this.model = model;
        this.answers = answers;
        this.routes = routes;
    }

    /** No more can come of a transaction. */
    public void end(TransactionModel transaction) {
        transaction.sends.forEach(answers::forget);
        transaction.end();
        model.openTransactions().remove(transaction);
    }

    /** TX-12: all of it has happened, or nothing. */
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
        check(all || !some, "Expected all of a transaction or nothing", transaction);
    }

    void requireDone(TransactionModel transaction) {
        check(!transaction.isSpoiled(), "Expected no commit after an operation was refused (TX-16)", transaction);
        for (Request.Send send : transaction.sends) {
            check(
                    send.storedCount() == send.messages.size() || !routes.mustStore(send),
                    "Expected what was committed to be on disk",
                    send);
            answers.requireTaken(send, transaction.askedAt());
        }
        for (Request.Settle settle : transaction.settlements) {
            check(settle.isSettled(), "Expected what was committed to be on disk", settle);
        }
    }

    void requireUndone(TransactionModel transaction) {
        for (Request.Send send : transaction.sends) {
            check(send.storedCount() == 0, "Expected nothing of what was rolled back", send);
        }
        for (Request.Settle settle : transaction.settlements) {
            check(!settle.isTouched(), "Expected nothing of what was rolled back", settle);
        }
    }
}
