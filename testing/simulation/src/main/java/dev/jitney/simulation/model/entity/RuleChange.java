package dev.jitney.simulation.model.entity;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.core.Reply;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.model.row.RuleBytes;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.StoredEntities;
import org.jspecify.annotations.Nullable;

/** A rule of a subscription to be added, changed or removed. */
public final class RuleChange extends Request {
    private final ModelState model;
    private final Rules rules;

    /** The name in lower case, as it is compared. */
    final String name;

    /** What it is from then on, null if it is to be removed. */
    final @Nullable AskedRule rule;

    /** The same in the words of its row. */
    private final @Nullable String words;

    private final RuleWork how;

    /** Whether it is on disk. */
    boolean effective;

    public RuleChange(
            Judge judge,
            ModelState model,
            Rules rules,
            String path,
            RuleWork how,
            String name,
            @Nullable AskedRule rule) {
        super(judge, path);
        this.model = model;
        this.rules = rules;
        this.how = how;
        this.name = name;
        this.rule = rule;
        this.words = rule == null ? null : RuleBytes.words(rule.description());
    }

    /** Whether it explains a row: the words of a new filter and action, or none any more. */
    boolean mayMake(@Nullable String made, boolean there) {
        boolean fits = made == null ? words == null : made.equals(words);
        return fits && !effective && mayTakeEffect() && there == (how != RuleWork.ADD);
    }

    @Override
    public int credits() {
        return 10;
    }

    @Override
    public boolean isRefusable() {
        return true;
    }

    @Override
    public void done(Reply reply) {
        check(effective, "Expected what was acknowledged to be on disk", this);
    }

    /** IDLE-9: only a new rule is a use of the subscription. */
    @Override
    public void use() {
        judge.used(how == RuleWork.ADD ? path : String.valueOf(StoredEntities.topicOf(path)));
    }

    @Override
    public void undone(Rejection rejection) {
        check(!effective, () -> "Expected no change, but got " + rejection, this);
        boolean expected;
        if (rejection.code() == ErrorCode.ENTITY_EXISTS) {
            expected = how == RuleWork.ADD && rules.mayRefuse(this, true);
        } else if (rejection.code() == ErrorCode.ENTITY_NOT_FOUND) {
            boolean unknown = model.isToBeDeleted(path)
                    || model.entities().of(path).stream().allMatch(entity -> entity.gone || entity.fresh);
            expected = unknown || (how != RuleWork.ADD && rules.mayRefuse(this, false));
        } else if (rejection.code() == ErrorCode.THROTTLED) {
            expected = true;
        } else {
            throw new Violation("Expected " + this + " to be done, but got " + rejection + ".");
        }
        check(expected, () -> "Expected a change, but got " + rejection, this);
    }

    @Override
    public String toString() {
        return how + " " + name + (words == null ? "" : " (" + words + ")") + " of " + path;
    }
}
