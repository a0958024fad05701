package dev.jitney.core.filter;

import dev.jitney.core.filter.property.NoProperties;
import dev.jitney.core.filter.value.Value;

/**
 * A part of a compiled filter or action. Conditions result in true, false, unknown or an error; expressions in any value.
 * A node keeps no state between evaluations.
 */
@FunctionalInterface
interface Node {
    Value evaluate(Evaluation evaluation);

    /** A value that is known at compile time. */
    record Constant(Value value) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            return value;
        }
    }

    /** Returns a constant if all operands of a node are constant; otherwise the node itself. */
    static Node folded(Node node, Node... operands) {
        for (Node operand : operands) {
            if (!(operand instanceof Constant)) {
                return node;
            }
        }
        return new Constant(node.evaluate(withoutMessage()));
    }

    /** Returns an evaluation for nodes that do not read the message. */
    private static Evaluation withoutMessage() {
        return new Evaluation(NoProperties.INSTANCE, () -> {
            throw new IllegalStateException("Expected constants, but got a call of newid().");
        });
    }
}
