package dev.jitney.gateway.http.operator.figure;

import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpEdge;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.client.ConnectedClients;
import dev.jitney.runtime.security.Grant;
import io.vertx.core.json.JsonObject;

/** The operations that show figures. The caller has checked the rights. For one event loop. */
public final class FigureOperations {
    private static final long STREAM_STEP_MS = 2_000;
    private static final long TURN_PAUSE_MS = 1;

    private final HttpEdge edge;
    private final ConnectedClients clients;
    private final FigureHistory history;
    private final ClientsPage pages;
    private final FigureStreams streams;
    private final SharedPasses<Overview> overviews;

    private record OverviewKey(Namespace namespace, long olderThanSeconds) {}

    /** Creates the operations, and starts to sample the figures of entities. */
    public FigureOperations(HttpEdge edge, ConnectedClients clients) {
        this.edge = edge;
        this.clients = clients;
        history = FigureHistory.start(edge.vertx(), edge.broker());
        overviews = new SharedPasses<>(edge.vertx());
        pages = new ClientsPage(edge.vertx(), clients);
        streams = new FigureStreams(history, clients::connections, this::nextTurn);
        edge.vertx().setPeriodic(STREAM_STEP_MS, tick -> streams.tick());
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
        long olderThan = request.number("olderThan", 0);
        overviews.run(
                exchange,
                new OverviewKey(namespace, olderThan),
                () -> Overview.begin(namespace, history, olderThan),
                overview -> {
                    JsonObject document = overview.totals(namespace)
                            .put("connections", clients.connections(namespace))
                            .put("stores", Overview.stores(edge.broker().shards()))
                            .put("attention", overview.attention());
                    JsonAnswer.send(exchange, document.toBuffer());
                });
    }

    /** Runs a task on the event loop after it has served its connections. */
    private void nextTurn(Runnable task) {
        edge.vertx().setTimer(TURN_PAUSE_MS, now -> task.run());
    }

    /**
     * Answers with the clients that are connected to an entity.
     *
     * @param address the address of the entity, or of one of its sub-queues
     * @throws RefusedException if too many pages are being made
     */
    public void clients(Exchange exchange, Entity entity, EntityAddress address, OperatorRequest request)
            throws RefusedException {
        pages.start(exchange, entity, address, request);
    }

    /**
     * Answers with a stream of events, until the client closes the connection or its token expires.
     *
     * @throws RefusedException if there are too many streams
     */
    public void events(Exchange exchange, Grant grant) throws RefusedException {
        Namespace namespace = exchange.namespace();
        streams.requirePlace(namespace);
        if (!exchange.reserve(HttpStream.HELD_BYTES)) {
            throw new RefusedException(Exchange.OUT_OF_MEMORY);
        }
        HttpStream stream = new HttpStream(exchange, grant);
        streams.add(namespace, stream);
        exchange.whenEnded(() -> streams.remove(namespace, stream));
    }
}
