package dev.jitney.gateway.http.operator.figure;

import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpEdge;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.client.ConnectedClients;
import io.vertx.core.json.JsonObject;

/** The operations that show figures. The caller has checked the rights. For one event loop. */
public final class FigureOperations {
    private final HttpEdge edge;
    private final ConnectedClients clients;
    private final FigureHistory history;

    /** Creates the operations, and starts to sample the figures of entities. */
    public FigureOperations(HttpEdge edge, ConnectedClients clients) {
        this.edge = edge;
        this.clients = clients;
        history = FigureHistory.start(edge.vertx(), edge.broker());
    }

    /** Returns the samples of all entities. */
    public FigureHistory history() {
        return history;
    }

    /** Answers with the figures of an entity over time. */
    public void history(Exchange exchange, Entity entity, OperatorRequest request) {
        JsonAnswer.send(
                exchange, HistoryPage.of(entity, history, request.text("step")).toBuffer());
    }

    /** Answers with the overview of the namespace of the request. */
    public void overview(Exchange exchange, OperatorRequest request) {
        Namespace namespace = exchange.namespace();
        Overview overview = Overview.of(namespace, history, request.number("olderThan", 0), (entity, figures) -> {});
        JsonObject document = overview.totals(namespace)
                .put("connections", clients.connections(namespace))
                .put("stores", Overview.stores(edge.broker().shards()))
                .put("attention", overview.attention());
        JsonAnswer.send(exchange, document.toBuffer());
    }
}
