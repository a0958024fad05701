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

/** A request to add, change or remove a rule of a subscription. */
public final class RuleChange extends Request {
    private final ModelState model;
    private final Rules rules;

    /** The name in lower case, for comparisons. */
    final String name;

    /** The rule after the change; null if it is removed. */
    final @Nullable AskedRule rule;

    /** The text form of the rule, which is compared with its row. */
    private final @Nullable String words;

    private final RuleWork how;

    /** True if the change is on the disk. */
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

    /** Returns whether the change explains a row: the text form of a new filter and action, or null for a removed rule. */
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
        check(effective, "Expected an acknowledged change to be on the disk", this);
    }

    /** Records an access. Only a new rule is an access to the subscription (IDLE-9). */
    @Override
    public void use() {
        judge.used(how == RuleWork.ADD ? path : String.valueOf(StoredEntities.topicOf(path)));
    }

    @Override
    public void undone(Rejection rejection) {
        check(!effective, () -> "Expected a rejected change not to be on the disk, but got " + rejection, this);
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
            throw new Violation("Expected " + this + " to succeed, but got " + rejection + ".");
        }
        check(expected, () -> "Expected the change to succeed, but got " + rejection, this);
    }

    @Override
    public String toString() {
        return how + " " + name + (words == null ? "" : " (" + words + ")") + " of " + path;
    }
}
