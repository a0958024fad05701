package dev.jitney.core.filter.property;

import dev.jitney.core.filter.value.Value;

/** Which property a condition of a correlation filter is about. */
public sealed interface PropertyReference {

    Value read(MessageProperties message);

    /** A property the broker knows. */
    record System(SystemProperty property) implements PropertyReference {
        @Override
        public Value read(MessageProperties message) {
            return message.system(property);
        }
    }

    /** A property of the sender's. */
    record User(PropertyName name) implements PropertyReference {
        @Override
        public Value read(MessageProperties message) {
            return message.user(name);
        }
    }
}
