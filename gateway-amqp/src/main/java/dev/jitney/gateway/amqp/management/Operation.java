package dev.jitney.gateway.amqp.management;

import dev.jitney.codec.MessageFormatException;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityKind;
import java.util.Set;

/**
 * One kind of request.
 *
 * @param rights rights of which the caller must have one (ENT-4, RULE-14)
 * @param kinds entity kinds that support the operation
 */
record Operation(Set<AccessRight> rights, Set<EntityKind> kinds, Preparation preparation) {
    static final String PREFIX = "com.microsoft:";

    /** The step that reads the arguments and returns the call. */
    @FunctionalInterface
    interface Preparation {
        Call prepare(Arguments arguments) throws MessageFormatException;
    }
}
