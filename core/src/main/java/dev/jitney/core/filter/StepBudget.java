package dev.jitney.core.filter;

import dev.jitney.core.filter.value.Value;

/**
 * How much work the rules of a topic may do to judge one message, filters and actions together (FILTER-24). Work is counted
 * in steps, of which one is worth about a nanosecond; no clock is asked, so that the same rules give the same verdicts
 * everywhere.
 *
 * <p>Each rule has {@link #RULE_STEPS} for itself, whatever the other rules cost; a rule that needs more takes it from
 * what all rules of the message share. When that is spent, the rule fails, and every other rule that needs more than its
 * own steps. So a rule that costs much does not make those fail that cost little.
 *
 * <p>Not thread-safe; made for one message.
 */
public final class StepBudget {
    /** What a rule has for itself: enough for the longest text that a filter may have, and for one search in 32 KiB. */
    public static final long RULE_STEPS = 10_000;

    /** What the rules that need more share. */
    public static final long SHARED_STEPS = 10_000_000;

    /** What all rules together may use of their own: that of as many SQL filters as a topic may have (RULE-12). */
    public static final long RESERVED_STEPS = 2_000 * RULE_STEPS;

    /** What finding correlation filters has for itself, which is one look-up for all of them. */
    static final long LOOK_UP_STEPS = 2_000_000;

    private static final Value EXCEEDED = Value.error("Expected rules that judge a message in at most " + RULE_STEPS
            + " steps of each and " + SHARED_STEPS + " steps that all share, but this one needs more. Use shorter"
            + " texts, or LIKE without '_' between two '%'.");

    private long reserved = RESERVED_STEPS;
    private long shared = SHARED_STEPS;
    private long used;

    /** What the rule under way has of its own. */
    private long own;

    /** What the rule under way may take at most, and what is left of that; negative if it has tried to take more. */
    private long granted;

    private long left;

    /** The budget of a message, with a rule under way. */
    public StepBudget() {
        startRule();
    }

    /** Begins a rule, which ends the one before. */
    final void startRule() {
        start(RULE_STEPS);
    }

    /** Begins the search for correlation filters. */
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

    /**
     * Takes steps.
     *
     * @return whether there were as many; if not, none is left for this rule
     */
    public boolean take(long steps) {
        left -= steps;
        return left >= 0;
    }

    /** Whether the rule under way has tried to take more than it may. */
    boolean isExceeded() {
        return left < 0;
    }

    /** What becomes of a rule that needs more. */
    static Value exceeded() {
        return EXCEEDED;
    }

    /** Steps that were taken so far. */
    public long used() {
        return used + granted - Math.max(0, left);
    }
}
