package dev.jitney.server.node;

import dev.jitney.server.front.Acceptor;
import dev.jitney.server.front.ClientGateways;
import dev.jitney.server.front.Transport;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
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
 * <tr><td>{@code GET /cluster}</td><td>the state of the cluster (CL-81)</td></tr>
 * <tr><td>{@code POST /cluster/lead?node=NAME}</td><td>204 when that node leads (CL-17)</td></tr>
 * <tr><td>{@code GET /relay} with {@code Upgrade: jitney-relay}</td><td>101, and the connection belongs to a client of this
 * node from then on; 503 if this node does not serve clients, because a connection is passed on once at most
 * (CL-20)</td></tr>
 * <tr><td>{@code POST /checkpoint}</td><td>a new checkpoint with the names of its files</td></tr>
 * <tr><td>{@code GET /checkpoint/ID/FILE}, also with {@code Range}</td><td>the bytes of a file</td></tr>
 * <tr><td>{@code DELETE /checkpoint/ID}</td><td>204</td></tr>
 * </table>
 *
 * <p>Everything is bounded before it is authenticated: connections, the size of a head, the time for it, and no request may
 * have a body (CL-72).
 *
 * <p>Life cycle: opened once, closed once. Any thread may call the methods.
 */
public final class NodePort implements AutoCloseable {
    private static final int REQUEST_LINE_MAX = 2 * 1024;
    private static final int HEADER_BYTES_MAX = 8 * 1024;
    private static final int READ_BYTES_FIRST = 2 * 1024;
    private static final int READ_BYTES_MAX = 32 * 1024;
    private static final int FILE_THREADS = 4;
    private static final int FILE_TASKS_MAX = 64;
    private static final long CLOSE_TIMEOUT_MS = 5_000;

    private final NodePortOptions options;
    private final NodeRequests.Content content;
    private final EventLoopGroup loops = Transport.loops("node", 2);
    private final ExecutorService files;
    private final AtomicInteger connections = new AtomicInteger();
    private @Nullable Channel listener;

    private NodePort(
            NodePortOptions options,
            NodePages pages,
            NodeTraffic traffic,
            Supplier<@Nullable ClientGateways> gateways,
            CheckpointSource checkpoints) {
        this.options = options;
        this.files = new ThreadPoolExecutor(
                FILE_THREADS,
                FILE_THREADS,
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(FILE_TASKS_MAX),
                new DefaultThreadFactory("node-files", true));
        this.content = new NodeRequests.Content(pages, traffic, gateways, checkpoints, files);
    }

    /**
     * Opens the listener.
     *
     * @param gateways returns the gateways that serve clients at this moment, or null if this node serves none
     * @throws IOException if the port cannot be bound
     */
    public static NodePort open(
            NodePortOptions options,
            NodePages pages,
            NodeTraffic traffic,
            Supplier<@Nullable ClientGateways> gateways,
            CheckpointSource checkpoints)
            throws IOException {
        NodePort port = new NodePort(options, pages, traffic, gateways, checkpoints);
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
        socket.pipeline()
                .addLast(new HttpServerCodec(limits), new NodeRequests(content, options, connections::decrementAndGet));
        loops.next().register(socket);
    }

    /** Closes the listener and its connections, except those that belong to clients now. */
    @Override
    public void close() {
        Channel bound = listener;
        if (bound != null) {
            bound.close().awaitUninterruptibly(CLOSE_TIMEOUT_MS);
        }
        files.shutdownNow();
        loops.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(CLOSE_TIMEOUT_MS + 1_000);
    }
}
