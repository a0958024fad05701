package dev.jitney.gateway.http.messaging;

import dev.jitney.gateway.http.atom.ApiVersion;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpEdge;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityKind;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.security.Grant;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;

/**
 * The handler of messages over HTTP (HTTP reference 3.1). It recognizes its requests by the end of the path, and passes
 * all others to the next route. For event loops; no method blocks.
 *
 * <table>
 * <caption>Requests</caption>
 * <tr><th>path ends in</th><th>POST</th><th>PUT</th><th>DELETE</th></tr>
 * <tr><td>{@code messages}</td><td>send</td><td>an entity of that name</td><td>an entity of that name</td></tr>
 * <tr><td>{@code messages/head}</td><td>peek-lock</td><td>an entity of that name</td><td>receive and delete</td></tr>
 * <tr><td>{@code messages/{id}/{lockToken}}</td><td>renew</td><td>unlock</td><td>complete</td></tr>
 * </table>
 *
 * <p>GET reads the description of an entity of that name; other methods are refused.
 */
public final class MessagingHandler implements Handler<RoutingContext> {
    private final SendHandler sending = new SendHandler();
    private final ReceiveHandler receiving;
    private final LockHandler locks = new LockHandler();

    /** Creates a handler for the listeners of an edge. */
    public MessagingHandler(HttpEdge edge) {
        receiving = new ReceiveHandler(edge);
    }

    /** Returns the number of receives that wait for a message. Any thread may call it. */
    public int waitingReceives() {
        return receiving.waiting();
    }

    @Override
    public void handle(RoutingContext context) {
        Exchange exchange = Exchange.of(context);
        exchange.guarded(() -> {
            MessageResource resource = MessageResource.of(exchange.target());
            if (resource == null || !serve(exchange, resource)) {
                context.next();
            }
        });
    }

    /** Returns whether the request belongs to this handler. */
    private boolean serve(Exchange exchange, MessageResource resource) throws RefusedException {
        HttpMethod method = exchange.request().method();
        boolean post = method.equals(HttpMethod.POST);
        boolean delete = method.equals(HttpMethod.DELETE);
        boolean put = method.equals(HttpMethod.PUT);
        switch (resource.kind()) {
            case MESSAGES -> {
                if (post) {
                    sending.send(exchange, found(exchange, resource, AccessRight.SEND));
                    return true;
                }
            }
            case HEAD -> {
                if (post || delete) {
                    receiving.receive(exchange, found(exchange, resource, AccessRight.LISTEN), post);
                    return true;
                }
            }
            case LOCKED -> {
                if (post || delete || put) {
                    locks.settle(exchange, found(exchange, resource, AccessRight.LISTEN), resource, method);
                    return true;
                }
            }
        }
        if (put || delete || method.equals(HttpMethod.GET)) {
            return false;
        }
        exchange.response()
                .putHeader(
                        HttpHeaders.ALLOW,
                        resource.kind() == MessageResource.Kind.MESSAGES
                                ? "POST"
                                : resource.kind() == MessageResource.Kind.HEAD ? "DELETE, POST" : "DELETE, POST, PUT");
        exchange.refuse(HttpError.methodNotAllowed(method.name()));
        return true;
    }

    private static Place found(Exchange exchange, MessageResource resource, AccessRight right) throws RefusedException {
        EntityAddress address = EntityAddress.ofPath(resource.entity());
        Grant grant = exchange.authorize(address, right); // before any response about the entity
        Entity entity = address.management() ? null : exchange.namespace().entity(address.path());
        if (entity == null) {
            throw new RefusedException(HttpError.notFound("The messaging entity '"
                    + exchange.namespace().name() + ":" + address.path() + "' could not be found."));
        }
        refuseOldVersion(exchange, address.topic() == null ? address.path() : address.topic());
        refuseWrongKind(entity, address, right);
        if (right == AccessRight.LISTEN
                && resource.kind() == MessageResource.Kind.HEAD
                && address.subQueue() == SubQueue.MAIN
                && entity.description().requiresSession()) {
            throw new RefusedException(HttpError.badRequest("Expected an entity without sessions, but '"
                    + address.path() + "' requires them. Receive its messages over AMQP."));
        }
        Rejection unserved =
                right == AccessRight.SEND ? entity.unservedSends() : entity.unservedReceives(address.subQueue());
        if (unserved != null) {
            throw new RefusedException(unserved);
        }
        return new Place(entity, address, grant);
    }

    /** @param path of the queue or topic */
    private static void refuseOldVersion(Exchange exchange, String path) throws RefusedException {
        Entity entity = exchange.namespace().entity(path);
        String reason = entity == null
                ? null
                : ApiVersion.of(exchange.target().query("api-version")).refuse(entity.description());
        if (reason != null) {
            throw new RefusedException(HttpError.badRequest(reason));
        }
    }

    /**
     * Refuses to send to subscriptions and to receive from topics, except from their transfer dead-letter queues (wire
     * reference 3.1; DLQ-1, DLQ-33).
     */
    private static void refuseWrongKind(Entity entity, EntityAddress address, AccessRight right)
            throws RefusedException {
        if (right == AccessRight.SEND && entity.kind() == EntityKind.SUBSCRIPTION) {
            throw new RefusedException(HttpError.badRequest("Expected a queue or a topic to send to, but '"
                    + address.path() + "' is a subscription. Send to its topic '" + address.topic() + "'."));
        }
        if (right == AccessRight.LISTEN
                && entity.kind() == EntityKind.TOPIC
                && address.subQueue() != SubQueue.TRANSFER_DEAD_LETTER) {
            throw new RefusedException(HttpError.badRequest("Expected a queue or a subscription to receive from, but '"
                    + address.path() + "' is a topic. Receive from one of its subscriptions, '" + address.path()
                    + "/subscriptions/NAME'."));
        }
    }

    /** The entity of a request, its address, and the grant that permits the request. */
    record Place(Entity entity, EntityAddress address, Grant grant) {}
}
