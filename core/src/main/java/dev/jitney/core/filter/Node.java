package dev.jitney.core.filter;

import dev.jitney.core.filter.property.NoProperties;
import dev.jitney.core.filter.value.Value;

/**
 * A part of a compiled filter or action. Conditions give true, false, unknown or an error; expressions any value. A
 * node keeps nothing from one evaluation to the next.
 */
@FunctionalInterface
interface Node {
    Value evaluate(Evaluation evaluation);

    /** A value known beforehand. */
    record Constant(Value value) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            return value;
        }
    }

    /** What a node whose operands are all constant gives, once and for all; other nodes as they are. */
    static Node folded(Node node, Node... operands) {
        for (Node operand : operands) {
            if (!(operand instanceof Constant)) {
                return node;
            }
        }
        return new Constant(node.evaluate(withoutMessage()));
    }

    /** For nodes that look at nothing outside. */
    private static Evaluation withoutMessage() {
        return new Evaluation(NoProperties.INSTANCE, () -> {
            throw new IllegalStateException("Expected constants, but got a call of newid().");
        });
    }
}
