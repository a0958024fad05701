package dev.jitney.gateway.http;

import dev.jitney.gateway.http.admin.AdminHandler;
import dev.jitney.gateway.http.admin.ChangesUnderWay;
import dev.jitney.gateway.http.console.ConsoleAccess;
import dev.jitney.gateway.http.console.ConsoleHandler;
import dev.jitney.gateway.http.console.ConsoleSessions;
import dev.jitney.gateway.http.exchange.HttpEdge;
import dev.jitney.gateway.http.exchange.HttpLimits;
import dev.jitney.gateway.http.exchange.MemoryPurpose;
import dev.jitney.gateway.http.exchange.RequestTarget;
import dev.jitney.gateway.http.messaging.MessagingHandler;
import dev.jitney.gateway.http.metrics.HttpFigures;
import dev.jitney.gateway.http.metrics.HttpMeter;
import dev.jitney.gateway.http.metrics.HttpMetrics;
import dev.jitney.gateway.http.metrics.MetricsAccess;
import dev.jitney.gateway.http.metrics.MetricsHandler;
import dev.jitney.gateway.http.namespaces.NamespacesHandler;
import dev.jitney.gateway.http.operator.OperatorHandler;
import dev.jitney.gateway.http.socket.AdmittingTransport;
import dev.jitney.gateway.http.socket.SocketDoor;
import dev.jitney.gateway.http.stores.StoresHandler;
import dev.jitney.gateway.http.testmode.TestModeHandler;
import dev.jitney.gateway.http.websocket.AmqpTunnels;
import dev.jitney.gateway.http.websocket.WebSocketUpgrade;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.security.TlsSuites;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP listeners, with and without TLS, with one set of routes: the same request gets the same response on every
 * port and under every host name (HTTP reference 1.3). Only the port for health pages has no other routes.
 *
 * <p>Life cycle: {@link #start} returns once every listener accepts connections; {@link #close} ends them. Any thread
 * may call the methods.
 */
public final class HttpGateway implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HttpGateway.class);

    private static final int MAX_HEADER_BYTES = 32 * 1024;
    private static final int MAX_REQUEST_LINE_BYTES = 16 * 1024;
    private static final int MAX_CHUNK_BYTES = 16 * 1024;
    /** Larger than any permitted AMQP frame. A WebSocket message may have several frames, which are never joined. */
    private static final int MAX_WEBSOCKET_FRAME_BYTES = 256 * 1024;

    private static final int WEBSOCKET_CLOSE_SECONDS = 2;
    private static final int TLS_HANDSHAKE_SECONDS = 10;
    private static final long START_SECONDS = 30;
    private static final long STOP_SECONDS = 5;

    private final Vertx vertx;
    private final HttpEdge edge;
    private final HttpMeter meter;
    private final MessagingHandler messaging;
    private final AmqpTunnels tunnels;
    private final SocketDoor door;
    private final int httpPort;
    private final @Nullable Integer httpsPort;
    private final @Nullable Integer healthPort;

    private HttpGateway(
            HttpEdge edge,
            HttpMeter meter,
            MessagingHandler messaging,
            AmqpTunnels tunnels,
            SocketDoor door,
            int httpPort,
            @Nullable Integer httpsPort,
            @Nullable Integer healthPort) {
        this.vertx = edge.vertx();
        this.edge = edge;
        this.meter = meter;
        this.messaging = messaging;
        this.tunnels = tunnels;
        this.door = door;
        this.httpPort = httpPort;
        this.httpsPort = httpsPort;
        this.healthPort = healthPort;
    }

    /**
     * Opens the listeners.
     *
     * @param serverHealth for {@code GET /health} and the pages below it; called by event loops, so it must not block
     * @param tunnels the AMQP side of WebSockets; closed with the gateway
     * @param metrics the content of {@code GET /metrics} and its access
     * @throws IOException if a port cannot be bound; its message names the port, its cause has the reason
     */
    public static HttpGateway start(
            HttpGatewayOptions options,
            Broker broker,
            ServerHealth serverHealth,
            AmqpTunnels tunnels,
            HttpMetrics metrics)
            throws IOException {
        return start(
                options,
                broker,
                serverHealth,
                tunnels,
                metrics,
                HttpLimits.forHeap(Runtime.getRuntime().maxMemory()));
    }

    /** Opens the listeners, without metrics. */
    public static HttpGateway start(
            HttpGatewayOptions options, Broker broker, ServerHealth serverHealth, AmqpTunnels tunnels)
            throws IOException {
        return start(options, broker, serverHealth, tunnels, HttpMetrics.off());
    }

    static HttpGateway start(
            HttpGatewayOptions options,
            Broker broker,
            ServerHealth serverHealth,
            AmqpTunnels tunnels,
            HttpLimits limits)
            throws IOException {
        return start(options, broker, serverHealth, tunnels, HttpMetrics.off(), limits);
    }

    static HttpGateway start(
            HttpGatewayOptions options,
            Broker broker,
            ServerHealth serverHealth,
            AmqpTunnels tunnels,
            HttpMetrics metrics,
            HttpLimits limits)
            throws IOException {
        AdmittingTransport transport = new AdmittingTransport();
        Vertx vertx = Vertx.builder()
                .with(new VertxOptions()
                        .setEventLoopPoolSize(1)
                        .setWorkerPoolSize(1)
                        .setInternalBlockingPoolSize(1)
                        // No files are served, so that the start creates no cache directory, and kill -9 leaves none
                        // behind.
                        .setFileSystemOptions(new FileSystemOptions()
                                .setFileCachingEnabled(false)
                                .setClassPathResolvingEnabled(false)))
                .withTransport(transport)
                .build();
        try {
            HttpEdge edge = new HttpEdge(vertx, broker, limits, options.admission());
            transport.onlyIf(edge::admits);
            transport.onAccepted(edge::accept);
            MessagingHandler messaging = new MessagingHandler(edge);
            HttpMeter meter = new HttpMeter();
            Router router = routes(edge, serverHealth, messaging, metrics, meter, options);
            WebSocketUpgrade upgrade = new WebSocketUpgrade(vertx, tunnels, edge::handOver);
            // Not a route: a WebSocket of a router does not expose its channel.
            Handler<HttpServerRequest> requests = request -> {
                if (WebSocketUpgrade.isFor(request)) {
                    edge.upgrading(request);
                    upgrade.handle(request);
                } else {
                    router.handle(request);
                }
            };
            Integer plainPort = options.httpPort();
            Future<HttpServer> http =
                    plainPort == null ? null : listen(edge, requests, serverOptions(), options, plainPort);
            HttpsIdentity identity = options.identity();
            Integer tlsPort = options.httpsPort();
            Future<HttpServer> https = identity == null || tlsPort == null
                    ? null
                    : listen(edge, requests, withTls(serverOptions(), identity), options, tlsPort);
            int boundHttp = http == null || plainPort == null ? -1 : bound(http, options.host(), plainPort);
            Integer boundHttps = https == null || tlsPort == null ? null : bound(https, options.host(), tlsPort);
            Integer pages = options.healthPort();
            Integer boundPages = pages == null
                    ? null
                    : bound(
                            listen(edge, healthRoutes(edge, serverHealth, meter), serverOptions(), options, pages),
                            options.host(),
                            pages);
            if (options.door()) {
                bound(openDoor(edge, requests), options.host(), 0);
            }
            return new HttpGateway(
                    edge, meter, messaging, tunnels, transport.door(), boundHttp, boundHttps, boundPages);
        } catch (IOException | RuntimeException e) {
            close(vertx);
            throw e;
        }
    }

    /**
     * Serves a socket that another listener accepted, like a socket of its own. Closes the socket if the gateway is
     * closed or was started without a door. Any thread may call it.
     *
     * @param socket registered with no event loop, not read from, and with nothing in its pipeline but TLS, if any
     * @param firstBytes all bytes already read from it; released by this method
     * @param client address of the client if another node passed the connection on (CL-73); null if it is the address
     *     of the socket
     */
    public void take(Channel socket, ByteBuf firstBytes, @Nullable InetSocketAddress client) {
        if (client != null) {
            socket.attr(ConnectionBase.REMOTE_ADDRESS_OVERRIDE).set(SocketAddress.inetSocketAddress(client));
        }
        socket.config().setAutoRead(false);
        door.take(socket, firstBytes);
    }

    /**
     * Ends all connections because this server does not serve their clients any more (CL-12). WebSockets stay open for
     * the given time, so that AMQP can send an error; all others are closed at once. New connections are closed. Returns
     * at once; call {@link #close} afterwards. Any thread may call it.
     *
     * @param graceMs time for clients of WebSockets to read the error, in milliseconds
     */
    public void disconnect(long graceMs) {
        edge.disconnect(graceMs);
    }

    /** Returns the port that listens without TLS, or -1. */
    public int httpPort() {
        return httpPort;
    }

    /** Returns the port that listens with TLS, or null. */
    public @Nullable Integer httpsPort() {
        return httpsPort;
    }

    /** Returns the port that serves the health pages only, or null. */
    public @Nullable Integer healthPort() {
        return healthPort;
    }

    /** Returns the counters of the listeners. */
    public HttpFigures figures() {
        Map<String, Long> heldBytes = new TreeMap<>();
        for (MemoryPurpose purpose : MemoryPurpose.values()) {
            heldBytes.put(purpose.word(), edge.heldBytes(purpose));
        }
        return meter.figures(edge.connectionCount(), edge.refusedConnections(), edge.displacedConnections(), heldBytes);
    }

    /** Returns the number of receives over HTTP that wait for a message. */
    public int waitingReceives() {
        return messaging.waitingReceives();
    }

    @Override
    public void close() {
        tunnels.close(); // while connections can still send a close to the clients
        close(vertx);
    }

    /**
     * Creates the routes. The order matters: fixed paths first, then messages by the end of the path, then entities.
     */
    private static Router routes(
            HttpEdge edge,
            ServerHealth serverHealth,
            MessagingHandler messaging,
            HttpMetrics metrics,
            HttpMeter meter,
            HttpGatewayOptions options) {
        ConsoleSessions sessions = new ConsoleSessions(edge.identities().login());
        Router router = Router.router(edge.vertx());
        router.errorHandler(400, edge::malformed)
                .errorHandler(404, edge::malformed) // a target without a path, which matches no route
                .errorHandler(500, edge::failed);
        router.route().handler(meter::begin);
        router.route().handler(edge::begin);
        ChangesUnderWay changes = new ChangesUnderWay();
        addHealth(router, edge, serverHealth);
        if (metrics.access() != MetricsAccess.OFF) {
            router.get("/metrics").handler(unlessAdministration(edge.route(new MetricsHandler(edge.vertx(), metrics))));
        }
        router.route().handler(unlessAdministration(new StoresHandler(edge, options.version())));
        router.route().handler(unlessAdministration(new NamespacesHandler(edge)));
        router.route().handler(unlessAdministration(new TestModeHandler(edge, options.tests())));
        if (options.console() != ConsoleAccess.OFF) {
            router.route()
                    .handler(unlessAdministration(
                            new ConsoleHandler(edge, options.console(), sessions, options.version())));
        }
        router.route()
                .handler(unlessAdministration(new OperatorHandler(
                        edge,
                        options.clients(),
                        options.version(),
                        sessions,
                        changes,
                        options.privacy(),
                        options.amqpPorts(),
                        options.backups())));
        router.route().setName("messaging").handler(messaging);
        router.route().setName("administration").handler(edge.route(new AdminHandler(changes)));
        return router;
    }

    private static void addHealth(Router router, HttpEdge edge, ServerHealth serverHealth) {
        HealthHandler health = new HealthHandler(serverHealth::trouble, edge.broker()::shards);
        for (String page : HealthHandler.PATHS) {
            router.get(page).handler(unlessAdministration(health));
            router.head(page).handler(unlessAdministration(health));
        }
        ProbeHandler probes = new ProbeHandler(serverHealth, edge.broker()::shards);
        for (String probe : ProbeHandler.PATHS) {
            router.get(probe).handler(unlessAdministration(probes));
            router.head(probe).handler(unlessAdministration(probes));
        }
    }

    /** Creates the routes of the port for health pages. */
    private static Router healthRoutes(HttpEdge edge, ServerHealth serverHealth, HttpMeter meter) {
        Router router = Router.router(edge.vertx());
        router.errorHandler(400, edge::malformed).errorHandler(500, edge::failed);
        router.route().handler(meter::begin);
        router.route().handler(edge::begin);
        addHealth(router, edge, serverHealth);
        router.route()
                .handler(context -> context.response()
                        .setStatusCode(404)
                        .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE) // a body is not read
                        .end());
        return router;
    }

    /**
     * Skips a page for administration clients, because an entity may have the same path. They always send an API
     * version.
     */
    private static Handler<RoutingContext> unlessAdministration(Handler<RoutingContext> page) {
        return context -> {
            if (RequestTarget.tellsVersion(context.request().query())) {
                context.next();
            } else {
                page.handle(context);
            }
        };
    }

    private static HttpServerOptions serverOptions() {
        return new HttpServerOptions()
                .setMaxHeaderSize(MAX_HEADER_BYTES)
                .setMaxInitialLineLength(MAX_REQUEST_LINE_BYTES)
                .setMaxChunkSize(MAX_CHUNK_BYTES)
                .setIdleTimeout(0) // the edge has deadlines that a slow client cannot extend
                .setHttp2ClearTextEnabled(false)
                .setWebSocketSubProtocols(WebSocketUpgrade.SUBPROTOCOLS)
                .setMaxWebSocketFrameSize(MAX_WEBSOCKET_FRAME_BYTES)
                .setWebSocketClosingTimeout(WEBSOCKET_CLOSE_SECONDS)
                // Decompression would let clients decide how much memory and time it takes.
                .setPerMessageWebSocketCompressionSupported(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setReuseAddress(true);
    }

    private static HttpServerOptions withTls(HttpServerOptions options, HttpsIdentity identity) {
        TlsSuites.accepted().forEach(options::addEnabledCipherSuite);
        return options.setSsl(true)
                .setUseAlpn(false)
                .setSslHandshakeTimeout(TLS_HANDSHAKE_SECONDS)
                .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .setKeyValue(Buffer.buffer(identity.keyPem()))
                        .setCertValue(Buffer.buffer(identity.chainPem())));
    }

    private static Future<HttpServer> listen(
            HttpEdge edge,
            Handler<HttpServerRequest> requests,
            HttpServerOptions serverOptions,
            HttpGatewayOptions options,
            int port) {
        return server(edge, requests, serverOptions).listen(port, options.host());
    }

    private static Future<HttpServer> openDoor(HttpEdge edge, Handler<HttpServerRequest> requests) {
        return server(edge, requests, serverOptions()).listen(SocketDoor.ADDRESS);
    }

    private static HttpServer server(
            HttpEdge edge, Handler<HttpServerRequest> requests, HttpServerOptions serverOptions) {
        return edge.vertx()
                .createHttpServer(serverOptions)
                .connectionHandler(edge::admit)
                .invalidRequestHandler(edge::invalid)
                .exceptionHandler(e -> log.debug("HTTP connection failed: {}", e.toString()))
                .requestHandler(requests);
    }

    private static int bound(Future<HttpServer> listening, String host, int port) throws IOException {
        try {
            return listening
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(START_SECONDS, TimeUnit.SECONDS)
                    .actualPort();
        } catch (ExecutionException | TimeoutException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException("Cannot listen on " + host + ":" + port + ": " + cause.getMessage(), cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while opening " + host + ":" + port + ".", e);
        }
    }

    private static void close(Vertx vertx) {
        try {
            vertx.close().toCompletionStage().toCompletableFuture().get(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.warn("The HTTP listeners failed to close in {} s: {}", STOP_SECONDS, e.toString());
        }
    }
}
