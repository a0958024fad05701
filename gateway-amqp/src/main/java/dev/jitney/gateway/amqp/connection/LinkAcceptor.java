package dev.jitney.gateway.amqp.connection;

import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityKind;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import java.util.Map;
import org.apache.qpid.protonj2.engine.Link;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.transactions.Coordinator;
import org.apache.qpid.protonj2.types.transport.Role;
import org.jspecify.annotations.Nullable;

/** Decides on every attach: which link it becomes, or why it is refused (wire reference 3). */
final class LinkAcceptor {
    private static final Symbol TRANSFER_DESTINATION = Symbol.valueOf("com.microsoft:transfer-destination-address");

    /** A request may schedule a batch of messages as large as a transfer may be, and wraps each of them. */
    private static final long MANAGEMENT_REQUEST_BYTES_MIN = 1L << 20;

    private static final long MANAGEMENT_OVERHEAD_BYTES = 64 * 1024;

    private final AmqpConnection connection;
    private final CbsNode cbs;

    LinkAcceptor(AmqpConnection connection) {
        this.connection = connection;
        this.cbs = new CbsNode(connection);
    }

    /** A client that wants to send. */
    void clientSends(Receiver receiver) {
        LinkWire wire = connection.wire(receiver.getName());
        Rejection refusal = sends(receiver, wire);
        if (refusal != null && !connection.isEnded()) {
            refuse(receiver, wire, refusal);
        }
    }

    private @Nullable Rejection sends(Receiver receiver, LinkWire wire) {
        Rejection full = connection.noRoomForLink();
        if (full != null) {
            return full;
        }
        if (wire.remoteAttach().getTarget() instanceof Coordinator) {
            open(new CoordinatorLink(connection, receiver, wire));
            return null;
        }
        String text = Links.address(wire, false);
        if (text == null) {
            return new Rejection(ErrorCode.INVALID_FIELD, "Expected a target address, but the attach has none.");
        }
        if (CbsNode.ADDRESS.equalsIgnoreCase(text)) {
            open(new RequestLink(
                    connection, receiver, wire, CbsNode.REQUEST_BYTES_MAX, CbsNode.ADDRESS, cbs, nowMs -> true));
            return null;
        }
        EntityAddress address = EntityAddress.parse(text);
        if (address.management()) {
            ManagedEntity managed = new ManagedEntity(connection, address);
            Rejection refusal = management(managed, wire);
            if (refusal == null) {
                openManagement(receiver, wire, managed, address);
            }
            return refusal;
        }
        if (!connection.authorization().permits(AccessRight.SEND, address, connection.nowMs())) {
            return connection.unauthorized("Send", address);
        }
        if (address.subQueue() != SubQueue.MAIN || address.subscription() != null) {
            return new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "Messages cannot be sent to a sub-queue or a subscription: '" + text + "'.");
        }
        Map<Symbol, Object> properties = wire.remoteAttach().getProperties();
        Object destination = properties == null ? null : properties.get(TRANSFER_DESTINATION);
        if (destination != null) {
            return sendsVia(receiver, wire, address, destination);
        }
        Entity entity = connection.namespace().entity(address.path());
        Rejection refusal = takesMessages(entity, address, wire);
        if (refusal == null && entity != null) {
            open(new IncomingLink(connection, receiver, wire, entity, address, entity, address));
        }
        return refusal;
    }

    /** TX-4: both entities have to take messages from the client. */
    private @Nullable Rejection sendsVia(Receiver receiver, LinkWire wire, EntityAddress via, Object destination) {
        if (!(destination instanceof String text)) {
            return new Rejection(
                    ErrorCode.INVALID_FIELD, "Expected a text in property '" + TRANSFER_DESTINATION + "'.");
        }
        EntityAddress address = EntityAddress.parse(text);
        if (!connection.authorization().permits(AccessRight.SEND, address, connection.nowMs())) {
            return connection.unauthorized("Send", address);
        }
        if (address.management() || address.subQueue() != SubQueue.MAIN || address.subscription() != null) {
            return new Rejection(
                    ErrorCode.INVALID_OPERATION, "Expected a queue or topic to send to, but got '" + text + "'.");
        }
        Entity first = connection.namespace().entity(via.path());
        Entity second = connection.namespace().entity(address.path());
        Rejection refusal = takesMessages(first, via, null);
        if (refusal == null) {
            refusal = takesMessages(second, address, null);
        }
        if (refusal == null && first != null && second != null && EntityTypes.contradiction(wire, first) != null) {
            refusal = EntityTypes.contradiction(wire, second); // clients may mean either entity
        }
        if (refusal == null && first != null && second != null) {
            open(new IncomingLink(connection, receiver, wire, second, address, first, via));
        }
        return refusal;
    }

    private @Nullable Rejection takesMessages(@Nullable Entity entity, EntityAddress address, @Nullable LinkWire wire) {
        if (entity == null) {
            return connection.notFound(address);
        }
        Rejection contradiction = wire == null ? null : EntityTypes.contradiction(wire, entity);
        if (contradiction != null) {
            return contradiction;
        }
        return entity.description().status().allowsSend() ? entity.unservedSends() : disabled(address);
    }

    private void open(LinkInput link) {
        connection.add(link);
        link.open();
    }

    /** A client that wants to receive. */
    void clientReceives(Sender sender) {
        LinkWire wire = connection.wire(sender.getName());
        Rejection refusal = receives(sender, wire);
        if (refusal != null && !connection.isEnded()) {
            refuse(sender, wire, refusal);
        }
    }

    private @Nullable Rejection receives(Sender sender, LinkWire wire) {
        Rejection full = connection.noRoomForLink();
        if (full != null) {
            return full;
        }
        String text = Links.address(wire, true);
        if (text == null) {
            return new Rejection(ErrorCode.INVALID_FIELD, "Expected a source address, but the attach has none.");
        }
        if (CbsNode.ADDRESS.equalsIgnoreCase(text)) {
            accept(new ResponseLink(connection, sender, wire, CbsNode.ADDRESS, nowMs -> true));
            return null;
        }
        EntityAddress address = EntityAddress.parse(text);
        if (address.management()) {
            ManagedEntity managed = new ManagedEntity(connection, address);
            Rejection refusal = management(managed, wire);
            if (refusal == null) {
                accept(new ResponseLink(connection, sender, wire, nodeKey(address), managed));
            }
            return refusal;
        }
        if (!connection.authorization().permits(AccessRight.LISTEN, address, connection.nowMs())) {
            return connection.unauthorized("Listen", address);
        }
        Entity entity = connection.namespace().entity(address.path());
        if (entity == null) {
            return connection.notFound(address);
        }
        if (entity.kind() == EntityKind.TOPIC && address.subQueue() != SubQueue.TRANSFER_DEAD_LETTER) {
            return notFromTopic(address);
        }
        Rejection contradiction = EntityTypes.contradiction(wire, entity, address.subQueue());
        if (contradiction != null) {
            return contradiction;
        }
        ReceiveRequest request = new ReceiveRequest(wire.remoteAttach());
        Rejection refusal = request.refusal(entity, address);
        if (refusal != null) {
            return refusal;
        }
        if (!entity.description().status().allowsReceive()) {
            return disabled(address);
        }
        Rejection unserved = entity.unservedReceives(address.subQueue());
        if (unserved != null) {
            return unserved;
        }
        request.serve(connection, sender, wire, entity, address);
        return null;
    }

    private void accept(ResponseLink link) {
        connection.add(link);
        link.accept();
    }

    /** Why the management node cannot be attached to, or null: nothing is told of the entity without a claim. */
    private @Nullable Rejection management(ManagedEntity managed, LinkWire wire) {
        Rejection refusal = managed.permits() ? managed.find() : null;
        Entity entity = managed.entity();
        return refusal == null && entity != null
                ? EntityTypes.contradiction(wire, entity, managed.subQueue())
                : refusal;
    }

    /** RECV-11, DLQ-1: a topic keeps no messages that could be received, but for those it could not send on (TX-6). */
    static Rejection notFromTopic(EntityAddress address) {
        return new Rejection(
                ErrorCode.INVALID_OPERATION,
                "Messages are received from a subscription or its dead-letter queue, such as '" + address.path()
                        + "/Subscriptions/name', but '" + address.path()
                        + address.subQueue().suffix()
                        + "' is of a topic.");
    }

    private void openManagement(Receiver receiver, LinkWire wire, ManagedEntity managed, EntityAddress address) {
        Entity entity = managed.entity();
        long messageBytesMax =
                entity == null ? connection.namespace().limits().maxMessageSizeBytes() : entity.maxMessageSizeBytes();
        long sizeMax = Math.max(messageBytesMax, MANAGEMENT_REQUEST_BYTES_MIN) + MANAGEMENT_OVERHEAD_BYTES;
        open(new RequestLink(
                connection, receiver, wire, Math.min(sizeMax, Integer.MAX_VALUE), nodeKey(address), managed, managed));
    }

    private static String nodeKey(EntityAddress address) {
        return address.key() + address.subQueue().suffix() + "/$management";
    }

    private static Rejection disabled(EntityAddress address) {
        return new Rejection(
                ErrorCode.ENTITY_DISABLED, "Messaging entity '" + address.path() + "' is currently disabled.");
    }

    private static String path(LinkWire wire) {
        String text = Links.address(wire, wire.remoteAttach().getRole() == Role.RECEIVER);
        return text == null ? "" : EntityAddress.parse(text).path();
    }

    private void refuse(Link<?> link, LinkWire wire, Rejection rejection) {
        Links.refuse(connection, link, wire, connection.errors().of(rejection, path(wire)));
    }
}
