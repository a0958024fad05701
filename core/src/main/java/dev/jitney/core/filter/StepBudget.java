package dev.jitney.core.filter;

import dev.jitney.core.filter.body.Steps;
import dev.jitney.core.filter.value.Value;

/**
 * The limit of the work of all rules of a topic, filters and actions together, for one message (FILTER-24). Work is
 * counted in steps of about one nanosecond each. No clock is read, so that the same rules have the same results
 * everywhere.
 *
 * <p>Each rule has its own {@link #RULE_STEPS}, independent of the cost of other rules. A rule that needs more takes
 * steps from the budget that all rules of the message share. When the shared budget is used up, every rule fails that
 * needs more than its own steps. So an expensive rule never makes cheap rules fail.
 *
 * <p>Not thread-safe; for one message.
 */
public final class StepBudget implements Steps {
    /** The steps of each rule: enough for the longest text of a filter, and for one search in 32 KiB. */
    public static final long RULE_STEPS = 10_000;

    /** The steps that all rules share when they need more than their own. */
    public static final long SHARED_STEPS = 10_000_000;

    /** The total of the rules' own steps: enough for the maximum number of SQL filters of a topic (RULE-12). */
    public static final long RESERVED_STEPS = 2_000 * RULE_STEPS;

    /** The own steps of the lookup of correlation filters, which is one lookup for all of them. */
    static final long LOOK_UP_STEPS = 2_000_000;

    private static final Value EXCEEDED = Value.error("Expected each rule to use at most " + RULE_STEPS
            + " steps of its own and at most " + SHARED_STEPS + " steps shared by all rules, but this rule needs"
            + " more. Use shorter texts, or LIKE without '_' between two '%'.");

    /** The shared steps of a search for one message: enough for one value in a JSON document of 1 MiB. */
    private static final long SEARCH_STEPS = 2_000_000;

    private static final Value SEARCH_EXCEEDED = Value.error("Expected the filter of a search to use at most "
            + (RULE_STEPS + SEARCH_STEPS) + " steps for a message, but this message needs more. Use fewer tests of the"
            + " body, or LIKE without '_' between two '%'.");

    /**
     * The shared steps of the rules of one part of an explanation, which does not delay a shard as long as a send may. With their own steps,
     * the rules of a part take about twice as many at most. Steps of LIKE take up to 7 ns, so that is less than 2 ms.
     */
    public static final long EXPLANATION_STEPS = 100_000;

    private final Value reason;

    private long reserved = RESERVED_STEPS;
    private long shared;
    private long used;

    /** The own steps of the current rule. */
    private long own;

    /**
     * The maximum of steps for the current rule, and the remaining ones; negative after a rule has tried to take more.
     */
    private long granted;

    private long left;

    /** Creates the budget of a message and starts its first rule. */
    public StepBudget() {
        this(SHARED_STEPS, EXCEEDED);
    }

    private StepBudget(long shared, Value reason) {
        this.shared = shared;
        this.reason = reason;
        startRule();
    }

    /** Creates the budget of a message for the only filter of a search, and starts it. */
    public static StepBudget ofSearch() {
        return new StepBudget(SEARCH_STEPS, SEARCH_EXCEEDED);
    }

    /** Creates the budget of a part of an explanation. */
    public static StepBudget ofExplanation() {
        return new StepBudget(EXPLANATION_STEPS, EXCEEDED);
    }

    /** Starts a rule and ends the previous one. */
    public void startRule() {
        start(RULE_STEPS);
    }

    /** Starts the lookup of correlation filters. */
    void startLookUp() {
        endRule();
        reserved += LOOK_UP_STEPS;
        start(LOOK_UP_STEPS);
    }

    private void start(long steps) {
        endRule();
        own = Math.min(steps, reserved);
        granted = own + shared;
        left = granted;
    }

    private void endRule() {
        long taken = granted - Math.max(0, left);
        long ofOwn = Math.min(own, taken);
        reserved -= ofOwn;
        shared -= taken - ofOwn;
        used += taken;
        own = 0;
        granted = 0;
        left = 0;
    }

    @Override
    public boolean take(long steps) {
        left -= steps;
        return left >= 0;
    }

    /** Returns whether the current rule has tried to take more steps than allowed. */
    public boolean isExceeded() {
        return left < 0;
    }

    /** Returns the shared steps that the current rule has taken so far. */
    public long sharedOfRule() {
        return Math.max(0, granted - Math.max(0, left) - own);
    }

    /** Returns the error of a rule that needs more steps. */
    static Value exceeded() {
        return EXCEEDED;
    }

    /** Returns the error of a rule that needs more steps than this budget has. */
    Value reason() {
        return reason;
    }

    /** Returns the steps taken so far. */
    public long used() {
        return used + granted - Math.max(0, left);
    }
}
