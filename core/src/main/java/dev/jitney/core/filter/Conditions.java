package dev.jitney.core.filter;

import dev.jitney.core.filter.property.PropertyName;
import dev.jitney.core.filter.property.SystemProperty;
import dev.jitney.core.filter.value.Comparison;
import dev.jitney.core.filter.value.Value;
import dev.jitney.core.filter.value.Value.Kind;
import org.jspecify.annotations.Nullable;

/** The nodes with the results true, false, unknown or an error (FILTER-7 to 12, 20). */
final class Conditions {
    private Conditions() {}

    /** An expression as a condition: it must be boolean; null counts as unknown. */
    record Truth(Node expression) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            Value value = expression.evaluate(evaluation);
            return switch (value.kind()) {
                case BOOLEAN, UNKNOWN, ERROR -> value;
                case NULL -> Value.UNKNOWN;
                default ->
                    Value.error("Expected a condition, but got " + value.kind().words() + ".");
            };
        }
    }

    /** A conjunction. It is false as soon as one condition is false; the following ones are not evaluated. */
    record And(Node[] conditions) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            Value result = Value.TRUE;
            for (Node condition : conditions) {
                Value value = condition.evaluate(evaluation);
                if (value.isFalse() || value.isError()) {
                    return value;
                }
                if (value.isUnknown()) {
                    result = value;
                }
            }
            return result;
        }
    }

    /** A disjunction. It is true as soon as one condition is true; the following ones are not evaluated. */
    record Or(Node[] conditions) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            Value result = Value.FALSE;
            for (Node condition : conditions) {
                Value value = condition.evaluate(evaluation);
                if (value.isTrue() || value.isError()) {
                    return value;
                }
                if (value.isUnknown()) {
                    result = value;
                }
            }
            return result;
        }
    }

    /** A negation. The negation of unknown is unknown. */
    record Not(Node condition) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            return not(condition.evaluate(evaluation));
        }
    }

    private static Value not(Value value) {
        return value.kind() == Kind.BOOLEAN ? Value.of(value.isFalse()) : value;
    }

    /** One of the six comparisons. */
    record Compare(Comparison comparison, Node left, Node right) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            Value value = left.evaluate(evaluation);
            if (value.isError()) {
                return value;
            }
            Value other = right.evaluate(evaluation);
            return isAffordable(value, other, evaluation) ? comparison.apply(value, other) : StepBudget.exceeded();
        }
    }

    /** Takes the steps for comparing long values; the steps of the operator include short values. */
    private static boolean isAffordable(Value left, Value right, Evaluation evaluation) {
        int steps = Math.min(left.weight(), right.weight());
        return steps == 0 || evaluation.steps().take(steps);
    }

    /** A test for a missing property or null; never unknown. */
    record IsNull(Node property, boolean negated) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            Value value = property.evaluate(evaluation);
            return value.isError() ? value : Value.of((value.isNull() || value.isUnknown()) != negated);
        }
    }

    /** A test for a user property with that name, including null. */
    record UserPropertyExists(PropertyName name) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            return Value.of(!evaluation.message().user(name).isUnknown());
        }
    }

    /** A test for a system property that is set. */
    record SystemPropertyExists(SystemProperty property) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            return Value.of(!evaluation.message().system(property).isNull());
        }
    }

    /** A test for an equal element, from left to right up to the first one. */
    record In(Node left, Node[] elements, boolean negated) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            Value value = left.evaluate(evaluation);
            if (value.isError() || value.isUnknown()) {
                return value;
            }
            Value result = Value.FALSE;
            for (Node element : elements) {
                Value other = element.evaluate(evaluation);
                if (!isAffordable(value, other, evaluation)) {
                    return StepBudget.exceeded();
                }
                Value equal = Comparison.EQUAL.apply(value, other);
                if (equal.isError()) {
                    return equal;
                }
                if (equal.isTrue()) {
                    return Value.of(!negated);
                }
                if (equal.isUnknown()) {
                    result = equal;
                }
            }
            return negated ? not(result) : result;
        }
    }

    /**
     * A test of a text against a pattern.
     *
     * @param compiled the pattern if it is constant, else null
     * @param escape the node with the escape character, or null
     */
    record Like(
            Node text,
            Node pattern,
            @Nullable Node escape,
            @Nullable LikePattern compiled,
            boolean negated) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            Value value = text.evaluate(evaluation);
            if (value.isError()) {
                return value;
            }
            if (compiled != null && value.kind().isText()) {
                return judged(compiled.matches(value.text(), evaluation.steps()), evaluation);
            }
            Value form = pattern.evaluate(evaluation);
            if (form.isError()) {
                return form;
            }
            Value escaping = escape == null ? null : escape.evaluate(evaluation);
            if (escaping != null && escaping.isError()) {
                return escaping;
            }
            if (value.isUnknown() || form.isUnknown() || escaping != null && escaping.isUnknown()) {
                return Value.UNKNOWN;
            }
            return match(value, form, escaping, evaluation);
        }

        private Value match(Value value, Value form, @Nullable Value escaping, Evaluation evaluation) {
            if (escaping != null && !LikePattern.isEscape(escaping)) {
                return Value.error("Expected one character after ESCAPE, but got "
                        + (escaping.kind().isText()
                                ? escaping.text().length() + " characters"
                                : escaping.kind().words())
                        + ".");
            }
            if (!isTextOrNull(value) || !isTextOrNull(form)) {
                return Value.error("Expected strings for LIKE, but got "
                        + value.kind().words() + " and " + form.kind().words() + ".");
            }
            if (value.isNull() || form.isNull()) {
                return Value.of(negated);
            }
            if (!evaluation.steps().take(LikePattern.steps(form.text()))) {
                return StepBudget.exceeded();
            }
            LikePattern given = LikePattern.of(form.text(), escaping == null ? null : escaping.text());
            return judged(given.matches(value.text(), evaluation.steps()), evaluation);
        }

        /** Returns the result, or an error if there were too few steps. */
        private Value judged(boolean matches, Evaluation evaluation) {
            return evaluation.steps().isExceeded() ? StepBudget.exceeded() : Value.of(matches != negated);
        }

        private static boolean isTextOrNull(Value value) {
            return value.isNull() || value.kind().isText();
        }
    }
}
