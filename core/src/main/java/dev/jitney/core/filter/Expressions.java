package dev.jitney.core.filter;

import dev.jitney.core.filter.property.PropertyName;
import dev.jitney.core.filter.property.SystemProperty;
import dev.jitney.core.filter.value.Arithmetic;
import dev.jitney.core.filter.value.Value;

/** The nodes that result in values (FILTER-6, 16, 17, 21). */
final class Expressions {
    /** The steps for one character of a computed name. */
    private static final int STEPS_PER_CHARACTER = 8;

    private static final int NEW_ID_STEPS = 256;

    private Expressions() {}

    /** A user property with a name in the text. */
    record UserProperty(PropertyName name) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            return evaluation.message().user(name);
        }
    }

    /** A property in scope {@code sys}. */
    record SystemPropertyValue(SystemProperty property) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            return evaluation.message().system(property);
        }
    }

    /** A user property with a computed name: {@code property(x)}. */
    record NamedProperty(Node name) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            Value value = name.evaluate(evaluation);
            if (value.isError() || value.isUnknown()) {
                return value;
            }
            if (value.kind().isText()
                    && !evaluation
                            .steps()
                            .take((long) STEPS_PER_CHARACTER * value.text().length())) {
                return StepBudget.exceeded();
            }
            return value.kind() == Value.Kind.STRING
                    ? evaluation.message().user(new PropertyName(value.text()))
                    : Value.error("Expected the name of a property as a string, but got "
                            + value.kind().words() + ".");
        }
    }

    /** A new GUID: {@code newid()}. */
    record NewId() implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            return evaluation.steps().take(NEW_ID_STEPS)
                    ? Value.ofGuid(evaluation.newIds().get())
                    : StepBudget.exceeded();
        }
    }

    /** Operators of the same precedence, from left to right. */
    record Chain(Node[] operands, Arithmetic[] operators) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            Value result = operands[0].evaluate(evaluation);
            for (int i = 0; i < operators.length && !result.isError(); i++) {
                Value right = operands[i + 1].evaluate(evaluation);
                long steps = operators[i].steps(result, right);
                result = steps == 0 || evaluation.steps().take(steps)
                        ? operators[i].apply(result, right)
                        : StepBudget.exceeded();
            }
            return result;
        }
    }

    /** A minus before a value. */
    record Negated(Node operand) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            return Arithmetic.negate(operand.evaluate(evaluation));
        }
    }

    /** A plus before a value. */
    record Signed(Node operand) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            return Arithmetic.plus(operand.evaluate(evaluation));
        }
    }
}
