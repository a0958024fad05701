package dev.jitney.gateway.http.messaging;

import dev.jitney.gateway.http.exchange.ClientShares;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpEdge;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.messaging.MessagingHandler.Place;
import dev.jitney.runtime.ConnectionReceivers;
import io.vertx.core.http.HttpConnection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The handler that receives one message, and waits for it if there is none (HTTP reference 3.1). */
final class ReceiveHandler {
    private static final int DEFAULT_SECONDS = 60;

    /** The body should be empty, but some clients send a space. */
    private static final int BODY_MAX = 4 * 1024;

    private final HttpEdge edge;
    private final Map<HttpConnection, ConnectionReceivers> homes = new ConcurrentHashMap<>();
    private final ClientShares<WaitingReceive> waiting = new ClientShares<>();

    ReceiveHandler(HttpEdge edge) {
        this.edge = edge;
    }

    int waiting() {
        return waiting.size();
    }

    /** @param keep true to lock the message instead of removing it */
    void receive(Exchange exchange, Place place, boolean keep) throws RefusedException {
        int seconds = seconds(exchange.target().query("timeout"));
        exchange.body(BODY_MAX)
                .onSuccess(nothing -> exchange.guarded(() -> start(exchange, place, keep, seconds)))
                .onFailure(exchange::fail);
    }

    private void start(Exchange exchange, Place place, boolean keep, int seconds) throws RefusedException {
        if (exchange.isOver()) {
            return;
        }
        if (edge.isOutOfMemory()) {
            throw new RefusedException(Exchange.OUT_OF_MEMORY);
        }
        if (waiting.size() >= edge.limits().waitingReceivesMax()) {
            makeRoom(exchange);
        }
        WaitingReceive receive = new WaitingReceive(exchange, edge.vertx(), place, keep, home(exchange));
        waiting.add(receive, exchange.sharer());
        exchange.whenEnded(() -> waiting.remove(receive));
        exchange.yieldsBy(receive::end);
        receive.start(seconds);
    }

    /** Ends the receive that has waited longest of the client that has most, for a client with less than its share. */
    private void makeRoom(Exchange exchange) throws RefusedException {
        int max = edge.limits().waitingReceivesMax();
        WaitingReceive longest = waiting.displace(exchange.sharer(), max, receive -> true);
        if (longest == null) {
            throw new RefusedException(HttpError.busy(
                    "Expected at most " + max + " receives at the same time. Please wait 10 seconds and try again."));
        }
        longest.end();
    }

    /**
     * Returns the receivers of a connection. Messages that one request prefetched from partitions are available for the
     * next request of the connection (PART-61).
     */
    private ConnectionReceivers home(Exchange exchange) {
        HttpConnection connection = exchange.request().connection();
        ConnectionReceivers known = homes.get(connection);
        if (known != null) {
            return known;
        }
        ConnectionReceivers created = new ConnectionReceivers(exchange.executor());
        homes.put(connection, created);
        edge.whenGone(connection, () -> {
            homes.remove(connection);
            created.close();
        });
        return created;
    }

    private int seconds(@Nullable String timeout) throws RefusedException {
        if (timeout == null) {
            return Math.min(DEFAULT_SECONDS, edge.limits().receiveSecondsMax());
        }
        try {
            long asked = Long.parseLong(timeout.strip());
            if (asked >= 0) {
                return (int) Math.min(asked, edge.limits().receiveSecondsMax());
            }
        } catch (NumberFormatException notANumber) {
            // reported below
        }
        throw new RefusedException(
                HttpError.badRequest("Expected a whole number of seconds in 'timeout', or 0 for no wait."));
    }
}
