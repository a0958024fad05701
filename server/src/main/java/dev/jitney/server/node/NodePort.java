package dev.jitney.server.node;

import dev.jitney.server.front.Acceptor;
import dev.jitney.server.front.ClientGateways;
import dev.jitney.server.front.Transport;
import dev.jitney.server.tls.ClusterIdentity;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP listener of a node for other nodes and for operators.
 *
 * <table>
 * <caption>The pages</caption>
 * <tr><th>request</th><th>answer</th></tr>
 * <tr><td>{@code GET /health}</td><td>200 if clients that connect to this node are served, otherwise 503 (CL-80)</td></tr>
 * <tr><td>{@code GET /health/synced}</td><td>the same, and 503 also while the node is not a voting member in sync</td></tr>
 * <tr><td>{@code GET /cluster}</td><td>the state of the cluster (CL-81)</td></tr>
 * <tr><td>{@code GET /metrics}</td><td>the metrics of this node in the text format of Prometheus (CL-82)</td></tr>
 * <tr><td>{@code POST /cluster/lead?node=NAME}</td><td>204 when that node leads (CL-17)</td></tr>
 * <tr><td>{@code POST /cluster/add?node=NAME=HOST:PORT}</td><td>202 when the leader begins to add that node, 204 if it is a
 * member already (CL-55)</td></tr>
 * <tr><td>{@code POST /cluster/remove?node=NAME}</td><td>204 when that node is no member any more (CL-55)</td></tr>
 * <tr><td>{@code POST /cluster/apply} with a configuration file of 1 MiB at most</td><td>200 and sentences about the changes, on
 * the leader (CL-32)</td></tr>
 * <tr><td>{@code POST /cluster/verify}</td><td>200 and the state of the comparison of all nodes that begins or runs, on the
 * leader; {@code GET} begins none (CL-85)</td></tr>
 * <tr><td>{@code GET /relay} with {@code Upgrade: jitney-relay}</td><td>101, and the connection belongs to a client of this
 * node from then on; 503 if this node does not serve clients, because a connection is passed on once at most
 * (CL-20)</td></tr>
 * <tr><td>{@code GET /presence} with {@code Upgrade: jitney-presence}</td><td>101, and then nothing: the connection stays open as
 * long as this process runs, so that a follower notices its end (CL-90); 503 if there are too many of them</td></tr>
 * <tr><td>{@code POST /node/REQUEST}</td><td>the answer to a request of another node, such as for a part of a checkpoint
 * (CL-45)</td></tr>
 * </table>
 *
 * <p>With TLS, {@code GET /health} is for all programs, because probes have no certificate; without one it has no reasons. Everything else
 * needs a certificate of the cluster's authority, and requests between nodes need that of a node (CL-71).
 *
 * <p>Everything is bounded before it is authenticated: connections, {@linkplain Handshakes handshakes}, the size of
 * a head and of a body, and the time for them (CL-72).
 *
 * <p>Life cycle: opened once, closed once. Any thread may call the methods.
 */
public final class NodePort implements AutoCloseable {
    private static final int REQUEST_LINE_MAX = 2 * 1024;
    private static final int HEADER_BYTES_MAX = 8 * 1024;
    private static final int READ_BYTES_FIRST = 2 * 1024;
    private static final int READ_BYTES_MAX = 32 * 1024;
    private static final int WORKERS = 4;
    private static final int TASKS_MAX = 64;
    /** More than a cluster has members; a member that cannot have one waits for the election timeout instead. */
    private static final int PRESENCES_MAX = 32;

    private static final long CLOSE_TIMEOUT_MS = 5_000;

    private final NodePortOptions options;
    private final NodeRequests.Content content;
    private final EventLoopGroup loops = Transport.loops("node", 2);
    private final ExecutorService workers;
    private final AtomicInteger connections = new AtomicInteger();
    private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final @Nullable Handshakes handshakes;
    private @Nullable Channel listener;

    private NodePort(
            NodePortOptions options,
            @Nullable ClusterIdentity tls,
            LinkFaults faults,
            NodePages pages,
            NodeTraffic traffic,
            Supplier<@Nullable ClientGateways> gateways) {
        this.options = options;
        this.handshakes = tls == null ? null : new Handshakes(tls, faults, options.headMs());
        this.workers = new ThreadPoolExecutor(
                WORKERS,
                WORKERS,
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(TASKS_MAX),
                new DefaultThreadFactory("node-work", true));
        this.content = new NodeRequests.Content(
                pages, traffic, gateways, workers, new Semaphore(PRESENCES_MAX), new Semaphore(1), open);
    }

    /** Opens a listener without TLS; the parameters are those of the other method. */
    public static NodePort open(
            NodePortOptions options, NodePages pages, NodeTraffic traffic, Supplier<@Nullable ClientGateways> gateways)
            throws IOException {
        return open(options, null, new LinkFaults(), pages, traffic, gateways);
    }

    /**
     * Opens the listener.
     *
     * @param tls the certificate of this node and the authority of the cluster, or null for a listener without TLS (CL-70)
     * @param faults receives the faults of TLS
     * @param gateways returns the gateways that serve clients at this moment, or null if this node serves none
     * @throws IOException if the port cannot be bound
     */
    public static NodePort open(
            NodePortOptions options,
            @Nullable ClusterIdentity tls,
            LinkFaults faults,
            NodePages pages,
            NodeTraffic traffic,
            Supplier<@Nullable ClientGateways> gateways)
            throws IOException {
        NodePort port = new NodePort(options, tls, faults, pages, traffic, gateways);
        try {
            port.listener = Acceptor.bind(port.loops.next(), options.host(), options.port(), port::accept);
            return port;
        } catch (IOException | RuntimeException e) {
            port.close();
            throw e;
        }
    }

    /** Returns the bound port, or -1. */
    public int port() {
        Channel bound = listener;
        return bound == null ? -1 : Acceptor.port(bound);
    }

    /** Returns the number of connections whose handshake is not complete; 0 without TLS. */
    int handshakes() {
        Handshakes secure = handshakes;
        return secure == null ? 0 : secure.waiting();
    }

    /** Returns the number of open connections, without those that belong to clients now. */
    public int connections() {
        return connections.get();
    }

    private void accept(Channel socket) {
        if (connections.incrementAndGet() > options.connectionsMax()) {
            connections.decrementAndGet();
            socket.unsafe().close(socket.unsafe().voidPromise());
            return;
        }
        // Small reads, because a socket keeps their sizes when it becomes the connection of a client.
        socket.config()
                .setRecvByteBufAllocator(
                        new AdaptiveRecvByteBufAllocator(READ_BYTES_FIRST, READ_BYTES_FIRST, READ_BYTES_MAX)
                                .maxMessagesPerRead(1));
        socket.config().setOption(ChannelOption.TCP_NODELAY, true);
        HttpDecoderConfig limits = new HttpDecoderConfig()
                .setMaxInitialLineLength(REQUEST_LINE_MAX)
                .setMaxHeaderSize(HEADER_BYTES_MAX)
                .setMaxChunkSize(HEADER_BYTES_MAX);
        Handshakes secure = handshakes;
        if (secure != null) {
            socket.pipeline().addLast(secure.begin());
        }
        socket.pipeline()
                .addLast(
                        new HttpServerCodec(limits),
                        new NodeRequests(content, options, secure != null, connections::decrementAndGet));
        loops.next().register(socket);
    }

    /** Closes the listener and its connections, except those that belong to clients now. */
    @Override
    public void close() {
        Channel bound = listener;
        if (bound != null) {
            bound.close().awaitUninterruptibly(CLOSE_TIMEOUT_MS);
        }
        // An event loop that ends may keep a connection open that it has just received.
        open.close().awaitUninterruptibly(CLOSE_TIMEOUT_MS);
        workers.shutdownNow();
        if (handshakes != null) {
            handshakes.close();
        }
        loops.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(CLOSE_TIMEOUT_MS + 1_000);
    }
}
