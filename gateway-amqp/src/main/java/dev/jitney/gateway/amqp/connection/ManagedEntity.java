package dev.jitney.gateway.amqp.connection;

import dev.jitney.gateway.amqp.management.CommandTarget;
import dev.jitney.gateway.amqp.management.ManagementNode;
import dev.jitney.gateway.amqp.management.NamedLinks;
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
 * The management node of an entity as one link sees it.
 *
 * <p>The link may be attached before a token is put, because older Java clients do so (wire reference 11, item 22). Such a
 * client learns nothing about the entity: it is looked up when a request comes and the connection has a claim for it.
 */
final class ManagedEntity implements NodeAccess, RequestNode {
    private final AmqpConnection connection;
    private final EntityAddress address;
    private @Nullable Entity entity;
    private @Nullable ManagementNode node;

    /** Whether the connection has had a claim for the entity since the link was attached. */
    private boolean permitted;

    ManagedEntity(AmqpConnection connection, EntityAddress address) {
        this.connection = connection;
        this.address = address;
    }

    /** Looks the entity up if the connection has a claim for it; tells why it cannot be managed, or null. */
    @Nullable
    Rejection find() {
        if (!permits()) {
            return connection.unauthorized("Send or Listen", address);
        }
        if (entity == null) {
            Entity found = connection.namespace().entity(address.path());
            if (found == null) {
                return connection.notFound(address);
            }
            if (found.kind() == EntityKind.TOPIC && address.subQueue() == SubQueue.DEAD_LETTER) {
                return LinkAcceptor.notFromTopic(address);
            }
            entity = found;
        }
        return null;
    }

    SubQueue subQueue() {
        return address.subQueue();
    }

    /** The entity, if the connection may know of it and it was there when it was looked up. */
    @Nullable
    Entity entity() {
        return entity;
    }

    boolean permits() {
        boolean now = connection.authorization().permitsAny(address, connection.nowMs());
        permitted |= now;
        return now;
    }

    /** A claim that has run out ends the link; one that has never been there is asked for when a request comes. */
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
            public void whenRoom(@Nullable String replyTo, long answerBytes, Runnable work) {
                responder.whenRoom(replyTo, answerBytes, work);
            }
        };
        Rejection refusal = find();
        Entity managed = entity;
        if (refusal != null || managed == null) {
            Rejection told = refusal == null ? connection.notFound(address) : refusal;
            target.refused(told);
            ManagementNode.refuse(
                    request, told, address.path(), connection.errors().text(), sink);
            return;
        }
        if (node == null) {
            node = new ManagementNode(
                    connection.namespace(),
                    managed,
                    address,
                    access(),
                    connection.sessionLinks().of(address.key()),
                    links(managed),
                    connection.executor(),
                    connection.errors().text(),
                    connection.messageBytesMax());
        }
        node.handle(request, target, sink);
    }

    private NamedLinks links(Entity managed) {
        return new NamedLinks() {
            @Override
            public @Nullable Entity destination(String linkName) {
                return connection.links().destinationVia(managed, linkName);
            }

            @Override
            public void use(String linkName) {
                connection.useLink(linkName);
            }
        };
    }

    private ManagementNode.ManagementAccess access() {
        return new ManagementNode.ManagementAccess() {
            @Override
            public @Nullable Rejection check(Set<AccessRight> rights) {
                return ManagedEntity.this.check(rights);
            }

            @Override
            public String keyName(Set<AccessRight> rights) {
                long nowMs = connection.nowMs();
                for (AccessRight right : rights) {
                    String name = connection.authorization().ruleThatPermits(right, address, nowMs);
                    if (name != null) {
                        return name;
                    }
                }
                return "";
            }

            @Override
            public String client() {
                return connection.client();
            }
        };
    }

    private @Nullable Rejection check(Set<AccessRight> rights) {
        long nowMs = connection.nowMs();
        return rights.stream().anyMatch(right -> connection.authorization().permits(right, address, nowMs))
                ? null
                : connection.unauthorized(
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
