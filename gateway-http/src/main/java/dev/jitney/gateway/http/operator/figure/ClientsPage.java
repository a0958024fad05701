package dev.jitney.gateway.http.operator.figure;

import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ReceiveMode;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.client.ClientLink;
import dev.jitney.runtime.client.ConnectedClient;
import dev.jitney.runtime.client.ConnectedClients;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;

/** Pages of the clients that are connected to an entity. For one event loop. */
final class ClientsPage {
    /** The limit of pages that are made at the same time, because each one looks at all connections of the process. */
    static final int PAGES_MAX = 4;

    private static final long PATIENCE_MS = 5_000;
    private static final HttpError BUSY =
            HttpError.busy("Expected at most " + PAGES_MAX + " lists of clients at the same time. Please try again.");
    private static final HttpError LATE = HttpError.busy("The list of clients takes too long. Please try again.");

    private final Vertx vertx;
    private final ConnectedClients clients;
    private int pages;

    ClientsPage(Vertx vertx, ConnectedClients clients) {
        this.vertx = vertx;
        this.clients = clients;
    }

    /** @param address the address of the entity, or of one of its sub-queues */
    void start(Exchange exchange, Entity entity, EntityAddress address, OperatorRequest request)
            throws RefusedException {
        if (pages >= PAGES_MAX) {
            throw new RefusedException(BUSY);
        }
        int max = (int) request.number("max", 1);
        pages++;
        long timer = vertx.setTimer(PATIENCE_MS, late -> exchange.refuse(LATE));
        clients.of(entity, address, request.number("after", 0), max + 1)
                .whenCompleteAsync(
                        (found, failure) -> {
                            pages--;
                            vertx.cancelTimer(timer);
                            if (failure == null) {
                                JsonAnswer.send(
                                        exchange, page(entity, found, max).toBuffer());
                            } else {
                                exchange.fail(failure);
                            }
                        },
                        exchange.executor());
    }

    private static JsonObject page(Entity entity, List<ConnectedClient> found, int max) {
        List<ConnectedClient> shown = found.subList(0, Math.min(max, found.size()));
        JsonArray list = new JsonArray();
        shown.forEach(client -> list.add(document(client)));
        String next = found.size() > max ? Long.toString(shown.get(max - 1).number()) : null;
        return new JsonObject().put("path", entity.path()).put("clients", list).put("next", next);
    }

    private static JsonObject document(ConnectedClient client) {
        JsonArray links = new JsonArray();
        client.links().forEach(link -> links.add(document(link)));
        return new JsonObject()
                .put("connection", Long.toString(client.number()))
                .put("containerId", client.containerId())
                .put("address", client.address())
                .put("product", client.product())
                .put("version", client.version())
                .put("platform", client.platform())
                .put("userAgent", client.userAgent())
                .put("since", Instant.ofEpochMilli(client.sinceMs()).toString())
                .put("unsettledOnConnection", client.unsettled())
                .put("linkCount", client.linkCount())
                .put("links", links);
    }

    private static JsonObject document(ClientLink link) {
        ReceiveMode mode = link.mode();
        JsonObject document = new JsonObject()
                .put("name", link.name())
                .put("direction", mode == null ? "send" : "receive")
                .put("address", link.address())
                .put("credit", link.credit())
                .put("since", Instant.ofEpochMilli(link.sinceMs()).toString());
        if (mode != null) {
            boolean locks = mode == ReceiveMode.PEEK_LOCK;
            document.put("mode", locks ? "peekLock" : "receiveAndDelete")
                    .put("locksHeld", locks ? link.unsettled() : 0);
        }
        if (link.sessionId() != null) {
            document.put("sessionId", link.sessionId());
        }
        return document;
    }
}
