package dev.jitney.gateway.amqp;

import dev.jitney.gateway.amqp.connection.AmqpConnectionHandler;
import dev.jitney.gateway.amqp.listener.HandedSocket;
import dev.jitney.gateway.amqp.listener.HttpDoor;
import dev.jitney.gateway.amqp.listener.ProtocolDetector;
import dev.jitney.gateway.amqp.listener.SharedPort;
import dev.jitney.gateway.amqp.listener.UndecidedSockets;
import dev.jitney.gateway.amqp.shared.AmqpFigures;
import dev.jitney.gateway.amqp.shared.GatewayContext;
import dev.jitney.gateway.amqp.shared.GatewaySocket;
import dev.jitney.gateway.amqp.tunnel.TunnelEnd;
import dev.jitney.gateway.amqp.wire.ClientAddress;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.client.ConnectedClients;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundInvoker;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The server side of AMQP 1.0 for a broker. Start it once and close it once, on any thread.
 *
 * <p>The gateway owns its event loops. Connections inside a WebSocket, which another listener accepts, run on them too:
 * see {@link #openTunnel}.
 */
public final class AmqpGateway implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final long CLOSE_TIMEOUT_MS = 5_000;
    private static final long RELIEF_PERIOD_MS = 250;

    /** The limit of connections whose protocol is not known yet, and the time limit of each. */
    private static final int UNDECIDED_MAX = 10_000;

    private static final long UNDECIDED_TIMEOUT_MS = 10_000;
    /** The error description that clients receive when the gateway closes. */
    static final String GOODBYE = "The server is shutting down.";

    private final AmqpGatewayOptions options;
    private final GatewayContext context;
    private volatile @Nullable EventLoopGroup loops;
    private volatile @Nullable Channel plain;
    private volatile @Nullable Channel tls;
    private final List<Channel> shared = new CopyOnWriteArrayList<>();
    private final UndecidedSockets undecided = new UndecidedSockets(UNDECIDED_MAX);
    private volatile @Nullable AmqpTunnels tunnels;
    private volatile boolean disconnected;

    public AmqpGateway(Broker broker, AmqpGatewayOptions options) {
        this.options = options;
        String prefix = UUID.randomUUID().toString().replace("-", "");
        context = new GatewayContext(
                broker,
                options.limits(),
                options.idleRules(),
                prefix,
                options.maxSockets(),
                options.memory(),
                options.admission());
    }

    /**
     * Opens the listeners.
     *
     * @throws IllegalStateException if a port cannot be bound; then no listener stays open
     */
    public synchronized void start() {
        if (loops != null) {
            throw new IllegalStateException(
                    "Expected a gateway that was never started, but this one was. Create another.");
        }
        ThreadFactory threads = new DefaultThreadFactory("amqp", true);
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(
                options.eventLoops(),
                threads,
                Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        loops = group;
        tunnels = new AmqpTunnels(context, group);
        group.next()
                .scheduleAtFixedRate(
                        () -> context.memory()
                                .relieve(TimeUnit.NANOSECONDS.toMillis(
                                        Ticker.systemTicker().nanoTime())),
                        RELIEF_PERIOD_MS,
                        RELIEF_PERIOD_MS,
                        TimeUnit.MILLISECONDS);
        try {
            if (options.plainPort() != null) {
                plain = bindAmqp(group, options.plainPort(), null);
            }
            if (options.tlsPort() != null) {
                tls = bindAmqp(group, options.tlsPort(), options.tls());
            }
        } catch (RuntimeException cannotBind) {
            close();
            throw cannotBind;
        }
    }

    private Channel bindAmqp(EventLoopGroup group, int port, @Nullable Supplier<SslContext> ssl) {
        ReadSizes sizes = new ReadSizes(context.memory());
        return bind(group, port, channel -> beginAmqp(channel, sizes, ssl));
    }

    private void beginAmqp(Channel channel, ReadSizes sizes, @Nullable Supplier<SslContext> ssl) {
        channel.config().setRecvByteBufAllocator(sizes);
        if (ssl != null) {
            channel.pipeline().addLast(ssl.get().newHandler(channel.alloc()));
        }
        channel.pipeline().addLast(new AmqpConnectionHandler(context));
    }

    private void beginDetection(Channel channel, SharedPort port, HttpDoor door) {
        ReadSizes sizes = new ReadSizes(context.memory());
        channel.config().setRecvByteBufAllocator(sizes);
        ProtocolDetector.Listener listener =
                new ProtocolDetector.Listener(context, options.tls(), door, undecided, UNDECIDED_TIMEOUT_MS);
        channel.pipeline().addLast(new ProtocolDetector(listener, port, sizes::oneSmallReadPerTurn));
    }

    /**
     * Opens one more port, which distinguishes its clients by their first bytes. The gateway serves AMQP connections
     * and passes HTTP connections to the door. Call it after {@link #start}, once the door is open.
     *
     * @return the bound port
     * @throws IllegalStateException if the port cannot be bound
     */
    public synchronized SharedPort open(SharedPort port, HttpDoor door) {
        EventLoopGroup group = loops;
        if (group == null) {
            throw new IllegalStateException("Expected a running gateway, but it was not started or is closed.");
        }
        requireTls(port);
        Channel bound = bind(group, port.port(), channel -> beginDetection(channel, port, door));
        shared.add(bound);
        return port.at(port(bound));
    }

    private void requireTls(SharedPort port) {
        if (port.tls() && options.tls() == null) {
            throw new IllegalArgumentException("Expected TLS settings for port " + port.port() + ", but got none.");
        }
    }

    /**
     * Serves a connection that another listener accepted, like a connection of an own port with these protocols. Closes
     * the connection if the gateway is not running. Any thread may call it; it does not wait.
     *
     * @param port protocols of the listener
     * @param door destination of HTTP connections
     */
    public void adopt(HandedSocket socket, SharedPort port, HttpDoor door) {
        requireTls(port);
        Channel channel = socket.channel();
        InetSocketAddress client = socket.client();
        if (client != null) {
            ClientAddress.set(channel, client);
        }
        channel.config().setAutoRead(false); // until the handlers are there
        channel.config().setOption(ChannelOption.TCP_NODELAY, true);
        channel.config().setOption(ChannelOption.SO_KEEPALIVE, true);
        EventLoopGroup group = loops;
        if (group == null || disconnected) {
            socket.close();
            return;
        }
        try {
            group.register(channel).addListener(registered -> {
                if (registered.isSuccess()) {
                    begin(socket, port, door); // at once: a client that has sent its last bytes is read in any case
                } else {
                    socket.close();
                }
            });
        } catch (RejectedExecutionException | IllegalStateException ended) { // the event loops are shutting down
            socket.close();
        }
    }

    private void begin(HandedSocket socket, SharedPort port, HttpDoor door) {
        Channel channel = socket.channel();
        if (!channel.isActive() || disconnected) {
            socket.close();
            return;
        }
        ChannelHandlerContext below = channel.pipeline().lastContext(); // of the node that passed the connection on
        if (port.servesOnlyAmqp()) {
            beginAmqp(channel, new ReadSizes(context.memory()), null);
        } else if (port.servesOnlyAmqps()) {
            beginAmqp(channel, new ReadSizes(context.memory()), options.tls());
        } else {
            beginDetection(channel, port, door);
        }
        channel.config().setAutoRead(true); // before the first bytes, because their handler may pause reading
        if (socket.firstBytes().isReadable()) {
            ChannelInboundInvoker first = below == null ? channel.pipeline() : below;
            first.fireChannelRead(socket.firstBytes()).fireChannelReadComplete();
        } else {
            socket.firstBytes().release();
        }
    }

    /** Counts a connection for its address, unless that exceeds a limit. */
    private boolean admit(SocketChannel channel) {
        InetAddress address =
                channel.remoteAddress() == null ? null : channel.remoteAddress().getAddress();
        if (!options.admission().addresses().connected(address)) {
            return false;
        }
        channel.closeFuture()
                .addListener(closed -> options.admission().addresses().disconnected(address));
        return true;
    }

    private Channel bind(EventLoopGroup group, int port, Consumer<SocketChannel> accepted) {
        Class<? extends ServerChannel> type =
                Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(type)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        if (admit(channel)) {
                            accepted.accept(channel);
                        } else {
                            // The socket itself, before anything is read: a refusal costs as little as possible.
                            channel.unsafe().close(channel.unsafe().voidPromise());
                        }
                    }
                });
        try {
            return bootstrap.bind(options.host(), port).syncUninterruptibly().channel();
        } catch (Exception cause) { // Netty throws the checked cause without declaring it
            throw new IllegalStateException(
                    "Expected to bind " + options.host() + ":" + port + ", but it failed: " + cause.getMessage(),
                    cause);
        }
    }

    /**
     * Opens a connection whose bytes another listener transports. The same limits apply as for the connection of a
     * socket.
     *
     * @param client address of the client, for logs
     * @param serverName host name that the client requested below AMQP, or null; used if {@code open} names no host
     * @param far receives the bytes for the client; called on an event loop of the gateway
     * @return the end that takes the bytes of the client, or null if the gateway has reached its connection limit
     */
    public @Nullable TunnelEnd openTunnel(SocketAddress client, @Nullable String serverName, TunnelEnd far) {
        AmqpTunnels running = tunnels;
        return running == null ? null : running.open(client, serverName, far);
    }

    /**
     * Closes all {@linkplain #openTunnel tunnels}: sends each client a close and waits a few seconds for the
     * connections to end. No more tunnels open afterwards. Call it while the other listener still transports bytes.
     */
    public void closeTunnels() {
        AmqpTunnels running = tunnels;
        if (running != null) {
            running.close();
            awaitUntil(running::allGone);
        }
    }

    /**
     * Ends all connections because this server does not serve their clients any more (CL-12). Clients receive
     * {@code amqp:connection:forced}; all sockets are closed after the given time, even if clients read nothing. New
     * connections are closed. Returns at once; call {@link #close} afterwards. Any thread may call it.
     *
     * @param why sentence for the clients
     * @param graceMs time for clients to read the error, in milliseconds
     */
    public void disconnect(String why, long graceMs) {
        EventLoopGroup group = loops;
        if (group == null) {
            return;
        }
        disconnected = true;
        listeners().forEach(Channel::close);
        undecided.closeAll();
        context.sockets().forEach(socket -> socket.shutDown(why));
        AmqpTunnels running = tunnels;
        if (running != null) {
            running.close();
        }
        group.next().schedule(() -> context.sockets().forEach(GatewaySocket::abort), graceMs, TimeUnit.MILLISECONDS);
    }

    /** Closes the sockets of all clients of a namespace without a goodbye, like a broken network. Any thread may call it. */
    public void disconnect(Namespace namespace) {
        for (GatewaySocket socket : context.sockets()) {
            try {
                socket.executor().execute(() -> {
                    if (socket.namespace() == namespace) {
                        socket.abort();
                    }
                });
            } catch (RejectedExecutionException ended) { // the event loops are shutting down
                return;
            }
        }
    }

    /**
     * Delays the output to the clients of a namespace of a broker under test. Any thread may call it.
     *
     * @param ms milliseconds; 0 ends it
     */
    public void delay(Namespace namespace, long ms) {
        context.delay(namespace, ms);
    }

    private List<Channel> listeners() {
        List<Channel> all = new ArrayList<>(shared);
        Channel plainListener = plain;
        Channel tlsListener = tls;
        if (plainListener != null) {
            all.add(plainListener);
        }
        if (tlsListener != null) {
            all.add(tlsListener);
        }
        return all;
    }

    /** Returns the figures of the gateway, including connections inside tunnels. */
    public AmqpFigures figures() {
        return context.figures();
    }

    /** Returns the connected clients, including those inside tunnels, for operators. */
    public ConnectedClients clients() {
        return new AmqpClients(context);
    }

    /** Returns the number of connections on shared ports whose protocol is not known yet. */
    public int undecidedSockets() {
        return undecided.count();
    }

    /** Returns the bound port without TLS, or -1. */
    public synchronized int plainPort() {
        return port(plain);
    }

    /** Returns the bound port with TLS, or -1. */
    public synchronized int tlsPort() {
        return port(tls);
    }

    /**
     * Returns whether every opened listener accepts connections. Does not wait for {@link #start} or {@link #close}.
     */
    public boolean isListening() {
        return isOpen(plain) && isOpen(tls) && shared.stream().allMatch(AmqpGateway::isOpen);
    }

    private static boolean isOpen(@Nullable Channel channel) {
        return channel == null || channel.isActive();
    }

    private static int port(@Nullable Channel channel) {
        return channel == null ? -1 : ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /** Stops listening, sends every client a close, and ends the event loops, all within a few seconds. */
    @Override
    public synchronized void close() {
        EventLoopGroup group = loops;
        if (group == null) {
            return;
        }
        loops = null;
        tunnels = null;
        listeners().forEach(listener -> listener.close().awaitUninterruptibly(CLOSE_TIMEOUT_MS));
        context.sockets().forEach(socket -> socket.shutDown(GOODBYE));
        awaitUntil(() -> context.sockets().isEmpty());
        group.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(CLOSE_TIMEOUT_MS + 1_000);
    }

    private static void awaitUntil(BooleanSupplier done) {
        long pauseMs = 5;
        for (long waitedMs = 0; waitedMs < CLOSE_TIMEOUT_MS && !done.getAsBoolean(); waitedMs += pauseMs) {
            try {
                TimeUnit.MILLISECONDS.sleep(pauseMs);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
