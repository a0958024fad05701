package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.access.EntityRefusals;
import dev.jitney.gateway.amqp.management.HeldSessions;
import dev.jitney.gateway.amqp.management.NamedLinks;
import dev.jitney.gateway.amqp.node.CbsNode;
import dev.jitney.gateway.amqp.node.ManagedEntity;
import dev.jitney.gateway.amqp.node.ManagementLinks;
import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.gateway.amqp.wire.WireTable;
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

/** The decision on every attach: the link that it opens, or the reason for its refusal (wire reference 3). */
public final class LinkAcceptor {
    private static final Symbol TRANSFER_DESTINATION = Symbol.valueOf("com.microsoft:transfer-destination-address");

    /**
     * The minimum size limit for management requests: a request may schedule a batch of messages as large as a transfer
     * may be, and wraps each of them.
     */
    private static final long MANAGEMENT_REQUEST_BYTES_MIN = 1L << 20;

    private static final long MANAGEMENT_OVERHEAD_BYTES = 64 * 1024;

    private final LinkContext context;
    private final WireTable table;
    private final LinkQuota quota;
    private final CbsNode cbs;
    private final SessionLinks sessions = new SessionLinks();
    private final ResponseLinks responses = new ResponseLinks();

    /**
     * @param table links as the frames show them
     */
    public LinkAcceptor(LinkContext context, WireTable table) {
        this.context = context;
        this.table = table;
        quota = new LinkQuota(table, context.limits().maxLinks(), context.memory(), context.access(), context.loop());
        cbs = new CbsNode(context.access(), context.loop());
    }

    /** Accepts or refuses a client that attaches to send. */
    public void clientSends(Receiver receiver) {
        LinkWire wire = wire(receiver.getName());
        Rejection refusal = sends(receiver, wire);
        if (refusal != null && !context.loop().isEnded()) {
            refuse(receiver, wire, refusal);
        }
    }

    private @Nullable Rejection sends(Receiver receiver, LinkWire wire) {
        Rejection full = quota.refusal();
        if (full != null) {
            return full;
        }
        if (wire.remoteAttach().getTarget() instanceof Coordinator) {
            open(new CoordinatorLink(context, receiver, wire));
            return null;
        }
        String text = AttachAnswers.address(wire, false);
        if (text == null) {
            return new Rejection(ErrorCode.INVALID_FIELD, "Expected a target address, but the attach has none.");
        }
        if (CbsNode.ADDRESS.equalsIgnoreCase(text)) {
            open(new RequestLink(
                    context,
                    receiver,
                    wire,
                    CbsNode.REQUEST_BYTES_MAX,
                    responses,
                    CbsNode.ADDRESS,
                    cbs,
                    nowMs -> true));
            return null;
        }
        EntityAddress address = EntityAddress.parse(text);
        if (address.management()) {
            ManagedEntity managed = managed(address);
            Rejection refusal = management(managed, wire);
            if (refusal == null) {
                openManagement(receiver, wire, managed, address);
            }
            return refusal;
        }
        if (!context.access()
                .authorization()
                .permits(AccessRight.SEND, address, context.access().nowMs())) {
            return context.access().refusals().unauthorized("Send", address);
        }
        if (address.subQueue() != SubQueue.MAIN || address.subscription() != null) {
            return new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "Messages cannot be sent to the sub-queue or subscription '" + text
                            + "'. Send to a queue or a topic.");
        }
        Map<Symbol, Object> properties = wire.remoteAttach().getProperties();
        Object destination = properties == null ? null : properties.get(TRANSFER_DESTINATION);
        if (destination != null) {
            return sendsVia(receiver, wire, address, destination);
        }
        Entity entity = context.access().namespace().entity(address.path());
        Rejection refusal = takesMessages(entity, address, wire);
        if (refusal == null && entity != null) {
            open(new IncomingLink(context, receiver, wire, entity, address, entity, address));
        }
        return refusal;
    }

    /** Accepts or refuses a client that sends via an entity: both entities must accept its messages (TX-4). */
    private @Nullable Rejection sendsVia(Receiver receiver, LinkWire wire, EntityAddress via, Object destination) {
        if (!(destination instanceof String text)) {
            return new Rejection(
                    ErrorCode.INVALID_FIELD,
                    "Expected a string in property '" + TRANSFER_DESTINATION + "', but got another type.");
        }
        EntityAddress address = EntityAddress.parse(text);
        if (!context.access()
                .authorization()
                .permits(AccessRight.SEND, address, context.access().nowMs())) {
            return context.access().refusals().unauthorized("Send", address);
        }
        if (address.management() || address.subQueue() != SubQueue.MAIN || address.subscription() != null) {
            return new Rejection(
                    ErrorCode.INVALID_OPERATION, "Expected a queue or topic to send to, but got '" + text + "'.");
        }
        Entity first = context.access().namespace().entity(via.path());
        Entity second = context.access().namespace().entity(address.path());
        Rejection refusal = takesMessages(first, via, null);
        if (refusal == null) {
            refusal = takesMessages(second, address, null);
        }
        if (refusal == null && first != null && second != null && EntityTypes.contradiction(wire, first) != null) {
            refusal = EntityTypes.contradiction(wire, second); // clients may mean either entity
        }
        if (refusal == null && first != null && second != null) {
            open(new IncomingLink(context, receiver, wire, second, address, first, via));
        }
        return refusal;
    }

    private @Nullable Rejection takesMessages(@Nullable Entity entity, EntityAddress address, @Nullable LinkWire wire) {
        if (entity == null) {
            return context.access().refusals().notFound(address);
        }
        Rejection contradiction = wire == null ? null : EntityTypes.contradiction(wire, entity);
        if (contradiction != null) {
            return contradiction;
        }
        return entity.description().status().allowsSend() ? entity.unservedSends() : EntityRefusals.disabled(address);
    }

    private LinkWire wire(String engineName) {
        LinkWire wire = table.link(engineName);
        if (wire == null) {
            throw new IllegalStateException("Expected every attach to pass the guard, but this one did not.");
        }
        return wire;
    }

    private void open(LinkInput link) {
        context.links().add(link);
        link.open();
    }

    /** Accepts or refuses a client that attaches to receive. */
    public void clientReceives(Sender sender) {
        LinkWire wire = wire(sender.getName());
        Rejection refusal = receives(sender, wire);
        if (refusal != null && !context.loop().isEnded()) {
            refuse(sender, wire, refusal);
        }
    }

    private @Nullable Rejection receives(Sender sender, LinkWire wire) {
        Rejection full = quota.refusal();
        if (full != null) {
            return full;
        }
        String text = AttachAnswers.address(wire, true);
        if (text == null) {
            return new Rejection(ErrorCode.INVALID_FIELD, "Expected a source address, but the attach has none.");
        }
        if (CbsNode.ADDRESS.equalsIgnoreCase(text)) {
            accept(new ResponseLink(context, sender, wire, responses, CbsNode.ADDRESS, nowMs -> true));
            return null;
        }
        EntityAddress address = EntityAddress.parse(text);
        if (address.management()) {
            ManagedEntity managed = managed(address);
            Rejection refusal = management(managed, wire);
            if (refusal == null) {
                accept(new ResponseLink(context, sender, wire, responses, nodeKey(address), managed));
            }
            return refusal;
        }
        if (!context.access()
                .authorization()
                .permits(AccessRight.LISTEN, address, context.access().nowMs())) {
            return context.access().refusals().unauthorized("Listen", address);
        }
        Entity entity = context.access().namespace().entity(address.path());
        if (entity == null) {
            return context.access().refusals().notFound(address);
        }
        if (entity.kind() == EntityKind.TOPIC && address.subQueue() != SubQueue.TRANSFER_DEAD_LETTER) {
            return EntityRefusals.notFromTopic(address);
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
            return EntityRefusals.disabled(address);
        }
        Rejection unserved = entity.unservedReceives(address.subQueue());
        if (unserved != null) {
            return unserved;
        }
        request.serve(context, sessions, sender, wire, entity, address);
        return null;
    }

    private void accept(ResponseLink link) {
        context.links().add(link);
        link.accept();
    }

    /**
     * Returns the refusal of an attach to the management node, or null. Without a claim, a client gets no information
     * about the entity.
     */
    private @Nullable Rejection management(ManagedEntity managed, LinkWire wire) {
        Rejection refusal = managed.permits() ? managed.find() : null;
        Entity entity = managed.entity();
        return refusal == null && entity != null
                ? EntityTypes.contradiction(wire, entity, managed.subQueue())
                : refusal;
    }

    private void openManagement(Receiver receiver, LinkWire wire, ManagedEntity managed, EntityAddress address) {
        Entity entity = managed.entity();
        long messageBytesMax = entity == null
                ? context.access().namespace().limits().maxMessageSizeBytes()
                : entity.maxMessageSizeBytes();
        long sizeMax = Math.max(messageBytesMax, MANAGEMENT_REQUEST_BYTES_MIN) + MANAGEMENT_OVERHEAD_BYTES;
        open(new RequestLink(
                context,
                receiver,
                wire,
                Math.min(sizeMax, Integer.MAX_VALUE),
                responses,
                nodeKey(address),
                managed,
                managed));
    }

    private static String nodeKey(EntityAddress address) {
        return address.key() + address.subQueue().suffix() + "/$management";
    }

    /** Releases everything when the connection has ended: sessions that it holds without a link are free at once. */
    public void end() {
        sessions.end();
    }

    private static String path(LinkWire wire) {
        String text = AttachAnswers.address(wire, wire.remoteAttach().getRole() == Role.RECEIVER);
        return text == null ? "" : EntityAddress.parse(text).path();
    }

    private ManagedEntity managed(EntityAddress address) {
        return new ManagedEntity(
                context.access(),
                context.loop(),
                context.memory().messageBytesMax(),
                new ManagementLinks() {
                    @Override
                    public HeldSessions heldSessions(String entityKey) {
                        return sessions.of(entityKey);
                    }

                    @Override
                    public NamedLinks namedLinks(Entity entity) {
                        return context.links().named(entity);
                    }
                },
                address);
    }

    private void refuse(Link<?> link, LinkWire wire, Rejection rejection) {
        AttachAnswers.refuse(context.guard(), link, wire, context.errors().of(rejection, path(wire)));
    }
}
