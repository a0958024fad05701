package dev.jitney.gateway.amqp.access;

import dev.jitney.gateway.amqp.message.Errors;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;

/** Refusals of attaches and requests that name an entity, in the texts that clients match. For the event loop. */
public final class EntityRefusals {
    private final Errors errors;
    private String host = "";

    EntityRefusals(Errors errors) {
        this.errors = errors;
    }

    /** Sets the host for the addresses of entities in later texts. */
    void host(String name) {
        host = name;
    }

    public Rejection notFound(EntityAddress address) {
        return new Rejection(
                ErrorCode.ENTITY_NOT_FOUND,
                "The messaging entity '" + uri(address) + "' could not be found. To know more visit the documentation"
                        + " of entity names.");
    }

    /**
     * @param claim the rights of which the client needs one, such as {@code Send or Listen}
     */
    public Rejection unauthorized(String claim, EntityAddress address) {
        return new Rejection(
                ErrorCode.UNAUTHORIZED,
                "Unauthorized access. '" + claim + "' claim(s) are required to perform this operation. Resource: '"
                        + uri(address) + "'.");
    }

    public static Rejection disabled(EntityAddress address) {
        return new Rejection(
                ErrorCode.ENTITY_DISABLED, "Messaging entity '" + address.path() + "' is currently disabled.");
    }

    /**
     * Returns the refusal of a receiver of a topic (RECV-11, DLQ-1). A topic keeps no messages to receive, except those
     * that it could not forward (TX-6).
     */
    public static Rejection notFromTopic(EntityAddress address) {
        return new Rejection(
                ErrorCode.INVALID_OPERATION,
                "Expected a subscription or its dead-letter queue to receive from, but got '" + address.path()
                        + address.subQueue().suffix() + "' of a topic. Receive from a subscription, for example '"
                        + address.path() + "/Subscriptions/name'.");
    }

    /** Returns the answer to an attach that the entity itself has refused. */
    public ErrorCondition attach(Rejection rejection, EntityAddress address) {
        return errors.of(
                rejection.code() == ErrorCode.ENTITY_NOT_FOUND ? notFound(address) : rejection, address.path());
    }

    private String uri(EntityAddress address) {
        return "sb://" + host + "/" + address.path() + address.subQueue().suffix();
    }
}
