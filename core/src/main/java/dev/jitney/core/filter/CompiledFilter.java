package dev.jitney.core.filter;

import dev.jitney.core.filter.value.Value;

/** A filter ready to be asked about messages. Immutable; any thread may ask. */
public sealed interface CompiledFilter permits SqlFilter, CorrelationFilter {

    /**
     * Judges a message.
     *
     * @return true: it matches; false or unknown: it does not (FILTER-7); an error: it could not be judged (FILTER-24)
     */
    Value evaluate(Evaluation evaluation);
}
