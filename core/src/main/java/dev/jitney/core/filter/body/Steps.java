package dev.jitney.core.filter.body;

/** The steps of about one nanosecond each that may be taken for one message (FILTER-24). */
@FunctionalInterface
public interface Steps {

    /**
     * Takes steps.
     *
     * @return whether there were enough; if not, no steps remain for this rule
     */
    boolean take(long steps);
}
