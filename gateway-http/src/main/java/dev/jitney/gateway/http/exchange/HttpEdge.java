package dev.jitney.gateway.http.exchange;

import dev.jitney.runtime.Broker;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * What all requests of a gateway share: the broker, the connections, memory, and the way back onto event loops. Any
 * thread may call it.
 *
 * <p>Its handlers go into the router: {@link #begin} first, {@link #route} around every handler of exchanges,
 * {@link #malformed} and {@link #failed} for what goes wrong in between.
 */
public final class HttpEdge {
    private static final long SECOND_MS = 1_000;

    /** The name of Vert.x for the handler that reads heads and bodies. */
    private static final String DECODER = "httpDecoder";

    private final Vertx vertx;
    private final Broker broker;
    private final HttpLimits limits;
    private final HttpConnections connections;
    private final MemoryBudget memory;

    /** One per event loop: the broker wakes each executor once per commit, however many requests wait on it. */
    private final Map<Thread, Executor> executors = new ConcurrentHashMap<>();

    /** Starts watching deadlines; ends with {@code vertx}. */
    public HttpEdge(Vertx vertx, Broker broker, HttpLimits limits) {
        this.vertx = vertx;
        this.broker = broker;
        this.limits = limits;
        this.memory = new MemoryBudget(limits.memoryBytesMax());
        this.connections = new HttpConnections(limits, memory);
        vertx.setPeriodic(SECOND_MS, tick -> connections.tick());
    }

    public Vertx vertx() {
        return vertx;
    }

    public Broker broker() {
        return broker;
    }

    public HttpLimits limits() {
        return limits;
    }

    /** Connections that are open. */
    public int connectionCount() {
        return connections.count();
    }

    /** Connections and requests that were refused because all places were taken. */
    public long refusedConnections() {
        return connections.refused();
    }

    /** Connections that were closed to make room for others. */
    public long displacedConnections() {
        return connections.displaced();
    }

    /** Bytes of heads, bodies, answers or incomplete frames that are held. */
    public long heldBytes(MemoryPurpose purpose) {
        return memory.held(purpose);
    }

    /** Whether bodies and answers take all the memory they may; then nothing that needs more should begin. */
    public boolean isOutOfMemory() {
        return memory.isExhausted();
    }

    MemoryBudget memory() {
        return memory;
    }

    HttpConnections connections() {
        return connections;
    }

    /** Takes in a socket that a listener has accepted, before anything is read from it. Any thread may call it. */
    public void accept(Channel channel) {
        connections.accept(channel);
    }

    /** Takes in a connection that speaks HTTP, after any handshake of TLS. */
    public void admit(HttpConnection connection) {
        Channel channel = channel(connection);
        connections.accept(channel);
        connections.guardInput(channel, DECODER);
    }

    /** A request wants to make a WebSocket of its connection; it is answered outside of the routes. */
    public void upgrading(HttpServerRequest request) {
        connections.upgrading(peer(request.connection()));
    }

    /** Lets go of a connection that speaks HTTP no more, after an upgrade; somebody else watches it from now on. */
    public void handOver(HttpConnection connection) {
        HttpPeer peer = HttpPeer.of(channel(connection));
        if (peer != null) {
            connections.upgraded(peer);
        }
    }

    /** Runs something once a connection has gone, at once if it has. For its event loop. */
    public void whenGone(HttpConnection connection, Runnable action) {
        connections.whenGone(HttpPeer.of(channel(connection)), action);
    }

    /** The state of a connection that was admitted. */
    HttpPeer peer(HttpConnection connection) {
        HttpPeer peer = HttpPeer.of(channel(connection));
        if (peer == null) {
            throw new IllegalStateException("Expected a connection that was admitted.");
        }
        return peer;
    }

    private static Channel channel(HttpConnection connection) {
        return ((HttpServerConnection) connection).channelHandlerContext().channel();
    }

    /** The first handler of every request. */
    public void begin(RoutingContext context) {
        Exchange exchange = Exchange.begin(context, this);
        int hosts = context.request().headers().getAll(HttpHeaders.HOST).size();
        if (hosts > 1) {
            // RFC 9112 section 3.2: a proxy in between may have looked at another one.
            exchange.refuseAndClose(HttpError.badRequest("Expected one Host, but got " + hosts + "."));
        } else if (!exchange.hasPlace()) {
            exchange.refuseAndClose(HttpError.busy("Expected at most " + limits.connectionsMax()
                    + " connections with a request at a time. Please wait 10 seconds and try again."));
        } else {
            context.next();
        }
    }

    /** Lets a handler answer the exchange; what it throws is answered for it. */
    public Handler<RoutingContext> route(ExchangeHandler handler) {
        return context -> {
            Exchange exchange = Exchange.of(context);
            exchange.guarded(() -> handler.handle(exchange));
        };
    }

    /** Answers a path that the router cannot read, which it finds out before or between handlers: its error 400. */
    public void malformed(RoutingContext context) {
        begun(context).refuse(HttpError.badRequest("The request cannot be understood."));
    }

    /** Answers what a handler outside of {@link #route} left undone: the router's error 500. */
    public void failed(RoutingContext context) {
        Throwable failure = context.failure();
        begun(context).fail(failure == null ? new IllegalStateException("No handler answered.") : failure);
    }

    private Exchange begun(RoutingContext context) {
        return Exchange.hasBegun(context) ? Exchange.of(context) : Exchange.begin(context, this);
    }

    /** Answers a head that does not decode. The connection ends with the answer. */
    public void invalid(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        HttpError error;
        if (cause instanceof TooLongHttpLineException) {
            error = new HttpError(414, 0, "The URL is too long.");
        } else if (cause instanceof TooLongHttpHeaderException) {
            error = new HttpError(431, 0, "The header fields are too long.");
        } else {
            error = HttpError.badRequest("The request cannot be understood.");
        }
        request.response()
                .setStatusCode(error.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, ErrorDocument.CONTENT_TYPE)
                .end(ErrorDocument.of(error, "", broker.clock().nowMs()));
    }

    /** Runs tasks on the event loop that calls this method, which must be one of Vert.x. */
    Executor executor() {
        return executors.computeIfAbsent(Thread.currentThread(), loop -> {
            Context context = vertx.getOrCreateContext();
            return task -> context.runOnContext(turn -> task.run());
        });
    }
}
