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

/** The entity type that a link declares in the property {@code com.microsoft:entity-type} (wire reference 3.2). */
final class EntityTypes {
    private static final Symbol ENTITY_TYPE = Symbol.valueOf("com.microsoft:entity-type");

    /** The kinds by the numbers that clients use; with another number, the client does not know the kind. */
    private static final EntityKind[] KINDS = {EntityKind.QUEUE, EntityKind.TOPIC, EntityKind.SUBSCRIPTION};

    private EntityTypes() {}

    /**
     * Checks the type for the main queue only, as {@link #contradiction(LinkWire, Entity)} does. Some clients, such as
     * the Java SDK, declare a queue for every sub-queue, even that of a topic.
     */
    static @Nullable Rejection contradiction(LinkWire wire, Entity entity, SubQueue subQueue) {
        return subQueue == SubQueue.MAIN ? contradiction(wire, entity) : null;
    }

    /**
     * Returns the refusal of a link that declares another kind of entity, or null if the kind matches or is missing.
     */
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
                "Expected a " + word(KINDS[(int) value]) + " because of the property " + ENTITY_TYPE
                        + ", but '" + entity.path() + "' is a " + word(entity.kind())
                        + ". Attach with the type of the entity.");
    }

    private static String word(EntityKind kind) {
        return kind.word().toLowerCase(Locale.ROOT);
    }
}
