package dev.jitney.gateway.http.exchange;

import dev.jitney.runtime.Broker;
import dev.jitney.runtime.client.ClientAdmission;
import dev.jitney.runtime.security.IdentityProvider;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * The parts that all requests of a gateway share: the broker, the connections, memory, and executors on event loops.
 * Any thread may call it.
 *
 * <p>Its handlers go into the router: {@link #begin} first, {@link #route} around every handler of exchanges, {@link
 * #malformed} and {@link #failed} for errors in between.
 */
public final class HttpEdge {
    private static final long SECOND_MS = 1_000;

    /** The name in Vert.x of the handler that reads heads and bodies. */
    private static final String DECODER = "httpDecoder";

    private final Vertx vertx;
    private final Broker broker;
    private final HttpLimits limits;
    private final HttpConnections connections;
    private final MemoryBudget memory;
    private final ClientAdmission admission;

    /** One executor per event loop: the broker wakes each one once per commit, for any number of waiting requests. */
    private final Map<Thread, Executor> executors = new ConcurrentHashMap<>();

    /** Starts watching deadlines; ends with {@code vertx}. */
    public HttpEdge(Vertx vertx, Broker broker, HttpLimits limits, ClientAdmission admission) {
        this.admission = admission;
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

    /** Returns the identity provider whose tokens are accepted. */
    public IdentityProvider identities() {
        return admission.identities();
    }

    public HttpLimits limits() {
        return limits;
    }

    /** Returns the number of open connections. */
    public int connectionCount() {
        return connections.count();
    }

    /** Returns the number of connections and requests refused because the maximum was reached. */
    public long refusedConnections() {
        return connections.refused();
    }

    /** Returns the number of connections closed to make room for others. */
    public long displacedConnections() {
        return connections.displaced();
    }

    /** Returns the bytes in memory of heads, bodies, responses or incomplete frames. */
    public long heldBytes(MemoryPurpose purpose) {
        return memory.held(purpose);
    }

    /** Returns whether the memory for bodies and responses is used up. Then, do not begin operations that need more. */
    public boolean isOutOfMemory() {
        return memory.isExhausted();
    }

    MemoryBudget memory() {
        return memory;
    }

    HttpConnections connections() {
        return connections;
    }

    /** Returns the rules by which clients are admitted. */
    ClientAdmission admission() {
        return admission;
    }

    /** Counts a socket of an own listener for its address, unless that exceeds a limit. */
    public boolean admits(Channel channel) {
        InetAddress address = channel.remoteAddress() instanceof InetSocketAddress client ? client.getAddress() : null;
        if (!admission.addresses().connected(address)) {
            return false;
        }
        channel.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
            @Override
            public void handlerAdded(ChannelHandlerContext context) { // the socket has an event loop now
                context.channel()
                        .closeFuture()
                        .addListener(closed -> admission.addresses().disconnected(address));
            }
        });
        return true;
    }

    /** Registers a socket that a listener has accepted, before anything is read from it. Any thread may call it. */
    public void accept(Channel channel) {
        connections.accept(channel);
    }

    /** Registers an HTTP connection, after any TLS handshake. */
    public void admit(HttpConnection connection) {
        Channel channel = channel(connection);
        connections.accept(channel);
        connections.guardInput(channel, DECODER);
    }

    /** Closes all connections, WebSockets only after {@code graceMs}, and closes new ones. Any thread may call it. */
    public void disconnect(long graceMs) {
        vertx.runOnContext(now -> connections.disconnect(false));
        vertx.setTimer(Math.max(1, graceMs), later -> connections.disconnect(true));
    }

    /** Handles a request for the upgrade to a WebSocket, which is served outside of the routes. */
    public void upgrading(HttpServerRequest request) {
        connections.upgrading(peer(request.connection()));
    }

    /** Releases a connection after its upgrade; another component watches it from now on. */
    public void handOver(HttpConnection connection) {
        HttpPeer peer = HttpPeer.of(channel(connection));
        if (peer != null) {
            connections.upgraded(peer);
        }
    }

    /** Runs an action when a connection is closed, or immediately if it is. For its event loop. */
    public void whenGone(HttpConnection connection, Runnable action) {
        connections.whenGone(HttpPeer.of(channel(connection)), action);
    }

    /** Returns the state of an admitted connection. */
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

    /** Begins the exchange of every request. It is the first handler. */
    public void begin(RoutingContext context) {
        Exchange exchange = Exchange.begin(context, this);
        int hosts = context.request().headers().getAll(HttpHeaders.HOST).size();
        if (hosts > 1) {
            // RFC 9112 section 3.2: a proxy may have used another one.
            exchange.refuseAndClose(HttpError.badRequest("Expected one Host header, but got " + hosts + "."));
        } else {
            exchange.identify(() -> {
                if (exchange.hasPlace() || exchange.takePlace()) {
                    context.next();
                } else {
                    exchange.refuseAndClose(HttpError.busy("Expected at most " + limits.connectionsMax()
                            + " connections with a request at the same time. Please wait 10 seconds and try again."));
                }
            });
        }
    }

    /** Returns a route for a handler; exceptions of the handler become error responses. */
    public Handler<RoutingContext> route(ExchangeHandler handler) {
        return context -> {
            Exchange exchange = Exchange.of(context);
            exchange.guarded(() -> handler.handle(exchange));
        };
    }

    /** Responds to a path that the router cannot parse. This is the router's error 400, before or between handlers. */
    public void malformed(RoutingContext context) {
        begun(context).refuse(HttpError.badRequest("Expected a valid HTTP request, but it cannot be parsed."));
    }

    /** Responds to a failure outside of {@link #route}. This is the router's error 500. */
    public void failed(RoutingContext context) {
        Throwable failure = context.failure();
        begun(context).fail(failure == null ? new IllegalStateException("No handler answered.") : failure);
    }

    private Exchange begun(RoutingContext context) {
        return Exchange.hasBegun(context) ? Exchange.of(context) : Exchange.begin(context, this);
    }

    /** Responds to a head that cannot be decoded. The connection ends with the response. */
    public void invalid(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        HttpError error;
        if (cause instanceof TooLongHttpLineException) {
            error = new HttpError(414, 0, "The URL is too long.");
        } else if (cause instanceof TooLongHttpHeaderException) {
            error = new HttpError(431, 0, "The header fields are too long.");
        } else {
            error = HttpError.badRequest("Expected a valid HTTP request, but it cannot be parsed.");
        }
        request.response()
                .setStatusCode(error.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, ErrorDocument.CONTENT_TYPE)
                .end(ErrorDocument.of(error, "", broker.clock().nowMs()));
    }

    /** Returns the executor of the calling event loop, which must be a Vert.x event loop. */
    Executor executor() {
        return executors.computeIfAbsent(Thread.currentThread(), loop -> {
            Context context = vertx.getOrCreateContext();
            return task -> context.runOnContext(turn -> task.run());
        });
    }
}
