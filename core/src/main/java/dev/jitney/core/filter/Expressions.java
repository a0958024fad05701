package dev.jitney.core.filter;

/** The nodes that give values (FILTER-6, 16, 17, 21). */
final class Expressions {
    private Expressions() {}

    /** A user property whose name stands in the text. */
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

    /** A user property whose name is computed: {@code property(x)}. */
    record NamedProperty(Node name) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            Value value = name.evaluate(evaluation);
            if (value.isError() || value.isUnknown()) {
                return value;
            }
            return value.kind() == Value.Kind.STRING
                    ? evaluation.message().user(new PropertyName(value.text()))
                    : Value.error("Expected the name of a property as a string, but got "
                            + value.kind().words() + ".");
        }
    }

    /** A GUID that nobody has had before: {@code newid()}. */
    record NewId() implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            return Value.ofGuid(evaluation.newIds().get());
        }
    }

    /** Operators of one precedence, from left to right. */
    record Chain(Node[] operands, Arithmetic[] operators) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            Value result = operands[0].evaluate(evaluation);
            for (int i = 0; i < operators.length && !result.isError(); i++) {
                result = operators[i].apply(result, operands[i + 1].evaluate(evaluation));
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
