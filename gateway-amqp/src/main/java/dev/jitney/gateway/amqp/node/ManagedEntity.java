package dev.jitney.gateway.amqp.node;

import dev.jitney.gateway.amqp.access.ConnectionAccess;
import dev.jitney.gateway.amqp.access.EntityRefusals;
import dev.jitney.gateway.amqp.management.CommandTarget;
import dev.jitney.gateway.amqp.management.ManagementNode;
import dev.jitney.gateway.amqp.shared.ConnectionLoop;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityKind;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The management node of an entity, for one link.
 *
 * <p>A client may attach the link before it puts a token, because older Java clients do so (wire reference 11, item
 * 22). Such a client gets no information about the entity: the node looks up the entity when a request arrives and the
 * connection has a claim for it.
 */
public final class ManagedEntity implements NodeAccess, RequestNode {
    private final ConnectionAccess access;
    private final ConnectionLoop loop;
    private final long messageBytesMax;
    private final ManagementLinks links;
    private final EntityAddress address;
    private @Nullable Entity entity;
    private @Nullable ManagementNode node;

    /** True if the connection has had a claim for the entity since the link was attached. */
    private boolean permitted;

    /**
     * @param messageBytesMax limit of the server's memory for one request or answer, in bytes
     */
    public ManagedEntity(
            ConnectionAccess access,
            ConnectionLoop loop,
            long messageBytesMax,
            ManagementLinks links,
            EntityAddress address) {
        this.access = access;
        this.loop = loop;
        this.messageBytesMax = messageBytesMax;
        this.links = links;
        this.address = address;
    }

    /**
     * Looks up the entity if the connection has a claim for it. Returns the reason why the client cannot manage it, or
     * null.
     */
    public @Nullable Rejection find() {
        if (!permits()) {
            return access.refusals().unauthorized("Send or Listen", address);
        }
        if (entity == null) {
            Entity found = access.namespace().entity(address.path());
            if (found == null) {
                return access.refusals().notFound(address);
            }
            if (found.kind() == EntityKind.TOPIC && address.subQueue() == SubQueue.DEAD_LETTER) {
                return EntityRefusals.notFromTopic(address);
            }
            entity = found;
        }
        return null;
    }

    public SubQueue subQueue() {
        return address.subQueue();
    }

    /** Returns the entity if the connection has a claim for it and the look-up has found it, otherwise null. */
    public @Nullable Entity entity() {
        return entity;
    }

    public boolean permits() {
        boolean now = access.authorization().permitsAny(address, access.nowMs());
        permitted |= now;
        return now;
    }

    /**
     * Returns false once a claim has expired, which ends the link. A claim that never existed is checked when a request
     * arrives.
     */
    @Override
    public boolean authorized(long nowMs) {
        return permits() || !permitted;
    }

    @Override
    public @Nullable String goneEntity() {
        if (entity == null) {
            find();
        }
        Entity known = entity;
        return known != null && known.isGone() ? known.path() : null;
    }

    @Override
    public void handle(ProtonBuffer request, CommandTarget target, Responder responder) {
        ManagementNode.ResponseSink sink = new ManagementNode.ResponseSink() {
            @Override
            public void respond(@Nullable Object correlationId, @Nullable String replyTo, ProtonBuffer response) {
                responder.respond(replyTo, response);
            }

            @Override
            public boolean whenRoom(@Nullable String replyTo, long answerBytes, Runnable work, Runnable late) {
                return responder.whenRoom(replyTo, answerBytes, work, late);
            }
        };
        Rejection refusal = find();
        Entity managed = entity;
        if (refusal != null || managed == null) {
            Rejection told = refusal == null ? access.refusals().notFound(address) : refusal;
            target.refused(told);
            ManagementNode.refuse(request, told, address.path(), access.errors().text(), sink);
            return;
        }
        if (node == null) {
            node = new ManagementNode(
                    access.namespace(),
                    managed,
                    address,
                    managementAccess(),
                    links.heldSessions(address.key()),
                    links.namedLinks(managed),
                    loop.executor(),
                    access.errors().text(),
                    messageBytesMax);
        }
        node.handle(request, target, sink);
    }

    private ManagementNode.ManagementAccess managementAccess() {
        return new ManagementNode.ManagementAccess() {
            @Override
            public @Nullable Rejection check(Set<AccessRight> rights) {
                return ManagedEntity.this.check(rights);
            }

            @Override
            public String keyName(Set<AccessRight> rights) {
                long nowMs = access.nowMs();
                for (AccessRight right : rights) {
                    String name = access.authorization().ruleThatPermits(right, address, nowMs);
                    if (name != null) {
                        return name;
                    }
                }
                return "";
            }

            @Override
            public String client() {
                return access.client();
            }
        };
    }

    private @Nullable Rejection check(Set<AccessRight> rights) {
        long nowMs = access.nowMs();
        return rights.stream().anyMatch(right -> access.authorization().permits(right, address, nowMs))
                ? null
                : access.refusals()
                        .unauthorized(
                                rights.stream().map(ManagedEntity::claim).collect(Collectors.joining(" or ")), address);
    }

    private static String claim(AccessRight right) {
        return switch (right) {
            case MANAGE -> "Manage";
            case SEND -> "Send";
            case LISTEN -> "Listen";
        };
    }
}
