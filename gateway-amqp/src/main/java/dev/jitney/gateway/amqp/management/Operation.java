package dev.jitney.gateway.amqp.management;

import dev.jitney.codec.MessageFormatException;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityKind;
import java.util.Set;

/**
 * One kind of request.
 *
 * @param rights of which the caller has to have one (ENT-4, RULE-14)
 * @param kinds the entities that have what it is about
 */
record Operation(Set<AccessRight> rights, Set<EntityKind> kinds, Preparation preparation) {
    static final String PREFIX = "com.microsoft:";

    /** Reads the arguments. */
    @FunctionalInterface
    interface Preparation {
        Call prepare(Arguments arguments) throws MessageFormatException;
    }
}
