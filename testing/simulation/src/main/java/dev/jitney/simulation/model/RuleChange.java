package dev.jitney.simulation.model;

import dev.jitney.core.Reply;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.simulation.Violation;
import org.jspecify.annotations.Nullable;

/** A rule of a subscription to be added, changed or removed. */
final class RuleChange extends Request {
    /** The name in lower case, as it is compared. */
    final String name;

    /** What it is from then on, null if it is to be removed. */
    final @Nullable AskedRule rule;

    /** The same in the words of its row. */
    private final @Nullable String words;

    private final Desk.RuleWork how;

    /** Whether it is on disk. */
    boolean effective;

    RuleChange(Ledger ledger, String path, Desk.RuleWork how, String name, @Nullable AskedRule rule) {
        super(ledger, path);
        this.how = how;
        this.name = name;
        this.rule = rule;
        this.words = rule == null ? null : RuleBytes.words(rule.description());
    }

    /** Whether it explains a row: the words of a new filter and action, or none any more. */
    boolean mayMake(@Nullable String made, boolean there) {
        boolean fits = made == null ? words == null : made.equals(words);
        return fits && !effective && mayTakeEffect() && there == (how != Desk.RuleWork.ADD);
    }

    @Override
    int credits() {
        return 10;
    }

    @Override
    boolean isRefusable() {
        return true;
    }

    @Override
    void done(Reply reply) {
        ledger.check(effective, "Expected what was acknowledged to be on disk", this);
    }

    /** IDLE-9: only a new rule is a use of the subscription. */
    @Override
    void use() {
        ledger.idling().used(how == Desk.RuleWork.ADD ? path : String.valueOf(Shelves.topicOf(path)));
    }

    @Override
    void undone(Rejection rejection) {
        ledger.check(!effective, () -> "Expected no change, but got " + rejection, this);
        boolean expected;
        if (rejection.code() == ErrorCode.ENTITY_EXISTS) {
            expected = how == Desk.RuleWork.ADD && ledger.rules().mayRefuse(this, true);
        } else if (rejection.code() == ErrorCode.ENTITY_NOT_FOUND) {
            boolean unknown = ledger.isToBeDeleted(path)
                    || ledger.shelves().of(path).stream().allMatch(shelf -> shelf.gone || shelf.fresh);
            expected = unknown || (how != Desk.RuleWork.ADD && ledger.rules().mayRefuse(this, false));
        } else if (rejection.code() == ErrorCode.THROTTLED) {
            expected = true;
        } else {
            throw new Violation("Expected " + this + " to be done, but got " + rejection + ".");
        }
        ledger.check(expected, () -> "Expected a change, but got " + rejection, this);
    }

    @Override
    public String toString() {
        return how + " " + name + (words == null ? "" : " (" + words + ")") + " of " + path;
    }
}
