package dev.jitney.gateway.amqp;

import dev.jitney.gateway.amqp.connection.AmqpConnectionHandler;
import dev.jitney.gateway.amqp.listener.HttpDoor;
import dev.jitney.gateway.amqp.listener.ProtocolDetector;
import dev.jitney.gateway.amqp.listener.SharedPort;
import dev.jitney.gateway.amqp.listener.UndecidedSockets;
import dev.jitney.gateway.amqp.shared.AmqpFigures;
import dev.jitney.gateway.amqp.shared.GatewayContext;
import dev.jitney.gateway.amqp.tunnel.TunnelEnd;
import dev.jitney.runtime.Broker;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
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
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves a broker over AMQP 1.0. Start it once, close it once; any thread may do either.
 *
 * <p>It owns its event loops. Connections that come in through somebody else's listener, inside a WebSocket, run on them
 * too: see {@link #openTunnel}.
 */
public final class AmqpGateway implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final long CLOSE_TIMEOUT_MS = 5_000;
    private static final long RELIEF_PERIOD_MS = 250;

    /** Connections that may be undecided about their protocol, and how long each may be. */
    private static final int UNDECIDED_MAX = 10_000;

    private static final long UNDECIDED_TIMEOUT_MS = 10_000;
    /** What clients are told when the gateway closes. */
    static final String GOODBYE = "The server is shutting down.";

    private final AmqpGatewayOptions options;
    private final GatewayContext context;
    private @Nullable EventLoopGroup loops;
    private volatile @Nullable Channel plain;
    private volatile @Nullable Channel tls;
    private final List<Channel> shared = new CopyOnWriteArrayList<>();
    private final UndecidedSockets undecided = new UndecidedSockets(UNDECIDED_MAX);
    private @Nullable AmqpTunnels tunnels;

    public AmqpGateway(Broker broker, AmqpGatewayOptions options) {
        this.options = options;
        String prefix = UUID.randomUUID().toString().replace("-", "");
        context = new GatewayContext(
                broker, options.limits(), options.idleRules(), prefix, options.maxSockets(), options.memory());
    }

    /**
     * Opens the listeners.
     *
     * @throws IllegalStateException if a port cannot be bound; nothing is left open then
     */
    public synchronized void start() {
        if (loops != null) {
            throw new IllegalStateException("Expected to be started once.");
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

    private Channel bindAmqp(EventLoopGroup group, int port, @Nullable SslContext ssl) {
        ReadSizes sizes = new ReadSizes(context.memory());
        return bind(group, port, channel -> {
            channel.config().setRecvByteBufAllocator(sizes);
            if (ssl != null) {
                channel.pipeline().addLast(ssl.newHandler(channel.alloc()));
            }
            channel.pipeline().addLast(new AmqpConnectionHandler(context));
        });
    }

    /**
     * Opens one more port, which tells its clients apart by their first bytes: those of AMQP are served here, those of HTTP
     * are handed over. To be called after {@link #start}, once the door is open.
     *
     * @return the port that was bound
     * @throws IllegalStateException if it cannot be bound
     */
    public synchronized SharedPort open(SharedPort port, HttpDoor door) {
        EventLoopGroup group = loops;
        if (group == null) {
            throw new IllegalStateException("Expected a gateway that runs.");
        }
        if (port.tls() && options.tls() == null) {
            throw new IllegalArgumentException("Expected TLS settings for port " + port.port() + ", but got none.");
        }
        ProtocolDetector.Listener listener =
                new ProtocolDetector.Listener(context, options.tls(), door, undecided, UNDECIDED_TIMEOUT_MS);
        Channel bound = bind(group, port.port(), channel -> {
            ReadSizes sizes = new ReadSizes(context.memory());
            channel.config().setRecvByteBufAllocator(sizes);
            channel.pipeline().addLast(new ProtocolDetector(listener, port, sizes::oneSmallReadPerTurn));
        });
        shared.add(bound);
        return port.at(port(bound));
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
                        accepted.accept(channel);
                    }
                });
        try {
            return bootstrap.bind(options.host(), port).syncUninterruptibly().channel();
        } catch (Exception cause) { // Netty throws the checked cause without saying so
            throw new IllegalStateException(
                    "Expected to bind " + options.host() + ":" + port + ", but: " + cause.getMessage(), cause);
        }
    }

    /**
     * Begins one more connection, whose octets somebody else carries; it is held to the same limits as one of a socket.
     *
     * @param client address of the client, for logs
     * @param serverName the host name the client asked for below AMQP, or null; counts where {@code open} names none
     * @param far takes the octets for the client; called on an event loop of the gateway
     * @return takes the octets of the client; null if no more connections are served
     */
    public @Nullable TunnelEnd openTunnel(SocketAddress client, @Nullable String serverName, TunnelEnd far) {
        AmqpTunnels running;
        synchronized (this) {
            running = tunnels;
        }
        return running == null ? null : running.open(client, serverName, far);
    }

    /**
     * Tells the clients of all {@linkplain #openTunnel tunnels} that the server goes away, and waits a few seconds for
     * the connections to end. No more are opened afterwards. To be called while whoever carries the octets still does.
     */
    public void closeTunnels() {
        AmqpTunnels running;
        synchronized (this) {
            running = tunnels;
        }
        if (running != null) {
            running.close();
            awaitUntil(running::allGone);
        }
    }

    /** What it has to do, connections on channels of others included. */
    public AmqpFigures figures() {
        return context.figures();
    }

    /** Connections on shared ports whose protocol is not known yet. */
    public int undecidedSockets() {
        return undecided.count();
    }

    /** The bound port without TLS, or -1. */
    public synchronized int plainPort() {
        return port(plain);
    }

    /** The bound port with TLS, or -1. */
    public synchronized int tlsPort() {
        return port(tls);
    }

    /** Whether every listener that was opened accepts connections. It does not wait for {@link #start} or {@link #close}. */
    public boolean isListening() {
        return isOpen(plain) && isOpen(tls) && shared.stream().allMatch(AmqpGateway::isOpen);
    }

    private static boolean isOpen(@Nullable Channel channel) {
        return channel == null || channel.isActive();
    }

    private static int port(@Nullable Channel channel) {
        return channel == null ? -1 : ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /** Stops listening, tells every client, and ends the event loops; all of it within a few seconds. */
    @Override
    public synchronized void close() {
        EventLoopGroup group = loops;
        if (group == null) {
            return;
        }
        loops = null;
        tunnels = null;
        List<Channel> listeners = new ArrayList<>(shared);
        if (plain != null) {
            listeners.add(plain);
        }
        if (tls != null) {
            listeners.add(tls);
        }
        listeners.forEach(listener -> listener.close().awaitUninterruptibly(CLOSE_TIMEOUT_MS));
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
