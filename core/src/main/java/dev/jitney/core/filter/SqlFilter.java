package dev.jitney.core.filter;

import org.jspecify.annotations.Nullable;

/** A filter in the SQL-like language; true and false filters are the shortest ones. */
record SqlFilter(Node condition) implements CompiledFilter {
    @Override
    public Value evaluate(Evaluation evaluation) {
        return condition.evaluate(evaluation);
    }

    /** What it gives for every message, if it looks at none; otherwise null. */
    @Nullable
    Value constant() {
        return condition instanceof Node.Constant known ? known.value() : null;
    }
}
