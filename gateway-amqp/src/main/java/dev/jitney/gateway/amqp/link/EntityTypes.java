package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.model.EntityKind;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import java.util.Locale;
import java.util.Map;
import org.apache.qpid.protonj2.types.Symbol;
import org.jspecify.annotations.Nullable;

/** The kind of entity that a link says it is for, in the property {@code com.microsoft:entity-type} (wire reference 3.2). */
final class EntityTypes {
    private static final Symbol ENTITY_TYPE = Symbol.valueOf("com.microsoft:entity-type");

    /** By the numbers that clients use; others mean that the client does not know. */
    private static final EntityKind[] KINDS = {EntityKind.QUEUE, EntityKind.TOPIC, EntityKind.SUBSCRIPTION};

    private EntityTypes() {}

    /** As below; a sub-queue is a queue to some clients whatever it belongs to, such as that of a topic to the Java SDK. */
    static @Nullable Rejection contradiction(LinkWire wire, Entity entity, SubQueue subQueue) {
        return subQueue == SubQueue.MAIN ? contradiction(wire, entity) : null;
    }

    /** The refusal of a link that says it is for another kind of entity; null if it does not say so. */
    static @Nullable Rejection contradiction(LinkWire wire, Entity entity) {
        Map<Symbol, Object> properties = wire.remoteAttach().getProperties();
        Object type = properties == null ? null : properties.get(ENTITY_TYPE);
        if (!(type instanceof Number number) || type instanceof Double || type instanceof Float) {
            return null;
        }
        long value = number.longValue();
        if (value < 0 || value >= KINDS.length || KINDS[(int) value] == entity.kind()) {
            return null;
        }
        return new Rejection(
                ErrorCode.INVALID_OPERATION,
                "Expected the entity type " + word(KINDS[(int) value]) + " that the property " + ENTITY_TYPE
                        + " says, but '" + entity.path() + "' is a " + word(entity.kind())
                        + ". Attach with the type of the entity.");
    }

    private static String word(EntityKind kind) {
        return kind.word().toLowerCase(Locale.ROOT);
    }
}
