package dev.jitney.core.filter.property;

import dev.jitney.core.filter.value.Value;

/** The property in a condition of a correlation filter. */
public sealed interface PropertyReference {

    Value read(MessageProperties message);

    /** A system property. */
    record System(SystemProperty property) implements PropertyReference {
        @Override
        public Value read(MessageProperties message) {
            return message.system(property);
        }
    }

    /** A user property, set by the sender. */
    record User(PropertyName name) implements PropertyReference {
        @Override
        public Value read(MessageProperties message) {
            return message.user(name);
        }
    }
}
