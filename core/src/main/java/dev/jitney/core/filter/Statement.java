package dev.jitney.core.filter;

import dev.jitney.core.filter.property.ChangedProperties;
import dev.jitney.core.filter.property.PropertyName;
import dev.jitney.core.filter.property.SystemProperty;
import dev.jitney.core.filter.value.Ticks;
import dev.jitney.core.filter.value.Value;
import dev.jitney.core.filter.value.Value.Kind;
import dev.jitney.model.MessageView;

/** One statement of an action. */
sealed interface Statement {
    /** The factor between the weight of a value and the steps for encoding it, which costs more than reading. */
    long STEPS_PER_WEIGHT = 2;

    /** Changes the copy. Returns an error if that fails, and an arbitrary value otherwise. */
    Value run(Evaluation evaluation, ChangedProperties copy);

    /** {@code SET a = x}: an existing property keeps its type (RULE-7); an unknown value is stored as null. */
    record SetUser(PropertyName name, Node expression) implements Statement {
        @Override
        public Value run(Evaluation evaluation, ChangedProperties copy) {
            Value value = expression.evaluate(evaluation);
            if (value.isUnknown()) {
                value = Value.NULL;
            }
            Value before = copy.user(name);
            if (!before.isUnknown() && !before.isNull()) {
                value = Conversion.convert(value, before.kind(), evaluation.steps());
            }
            if (value.kind() == Kind.OTHER) {
                return Value.error("Expected a value that can be stored in a property, but got "
                        + value.kind().words() + ".");
            }
            if (!value.isError() && !evaluation.steps().take(STEPS_PER_WEIGHT * value.weight())) {
                value = StepBudget.exceeded();
            }
            if (!value.isError()) {
                copy.set(name, value);
            }
            return value;
        }
    }

    /** {@code SET sys.Label = x}: a system property has a fixed type. */
    record SetSystem(SystemProperty property, Node expression) implements Statement {
        @Override
        public Value run(Evaluation evaluation, ChangedProperties copy) {
            Value value = expression.evaluate(evaluation);
            if (value.isUnknown() || value.isNull()) {
                value = cleared();
            } else {
                value = Conversion.convert(value, property.kind(), evaluation.steps());
                if (property == SystemProperty.TIME_TO_LIVE && !value.isError() && value.bits() <= 0) {
                    value = Value.error("Expected a time to live longer than zero, but got zero or less.");
                }
            }
            if (!value.isError() && !evaluation.steps().take(STEPS_PER_WEIGHT * value.weight())) {
                value = StepBudget.exceeded();
            }
            if (!value.isError()) {
                copy.set(property, value);
            }
            return value;
        }

        /** Returns the effect of null: not set, without expiry, not persisted. A message must have an id. */
        private Value cleared() {
            return switch (property) {
                case MESSAGE_ID -> Value.error("Expected a text for sys.MessageId, but got null.");
                case TIME_TO_LIVE -> Value.ofTicks(Kind.TIME_SPAN, Ticks.ofMs(MessageView.NEVER));
                case FORCE_PERSISTENCE -> Value.FALSE;
                default -> Value.NULL;
            };
        }
    }

    /** {@code REMOVE a}. */
    record RemoveUser(PropertyName name) implements Statement {
        @Override
        public Value run(Evaluation evaluation, ChangedProperties copy) {
            copy.remove(name);
            return Value.NULL;
        }
    }
}
