package dev.jitney.server.node;

import dev.jitney.cluster.member.NodeLink;
import dev.jitney.server.front.ClientGateways;
import dev.jitney.server.front.RelayRequest;
import dev.jitney.server.tls.ClusterIdentity;
import dev.jitney.server.tls.ClusterIdentity.Peer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.group.ChannelGroup;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The requests of one connection to the node port, one after the other. For the event loop of the connection. */
final class NodeRequests extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(NodeRequests.class);
    private static final String JSON = "application/json; charset=utf-8";
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";
    /** The beginning of the paths of requests between nodes. */
    static final String NODE = "/node/";

    private static final String NODE_REQUEST = "[a-z-]{1,32}";
    private static final String BYTES = "application/octet-stream";
    private static final String HEALTH = "/health";
    private static final String SYNCED = "/health/synced";
    private static final String METRICS_PATH = "/metrics";

    private static final String NO_CERTIFICATE =
            "Expected a certificate of the cluster's authority, but got none. Use --cluster-tls CERT,KEY,CA, or the"
                    + " certificate and the key of an operator: jitney cluster certificates";

    private static final String NOT_A_NODE =
            "Expected the certificate of a node for this request, but got one that is for clients only. Use the"
                    + " certificate that 'jitney cluster certificates' has made for the node.";

    private static final String LEAD = "/cluster/lead";
    private static final String ADD = "/cluster/add";
    private static final String REMOVE = "/cluster/remove";
    private static final String APPLY = "/cluster/apply";
    private static final String UPGRADE = "/cluster/upgrade";
    private static final int FILE_BYTES_MAX = 1 << 20;
    private static final String VERIFY = "/cluster/verify";
    private static final byte[] NO_BODY = {};

    private final Content content;
    private final NodePortOptions options;
    private final boolean secure;
    private final Runnable released;
    private @Nullable HttpRequest request;
    private byte[] body = NO_BODY;
    private boolean discards;
    private int filled;
    private @Nullable Future<?> deadline;

    /** True from a complete request to the end of its response. */
    private boolean busy;

    /** True if the connection closes after the response to the current request. */
    private boolean closesAfter;

    /** True if no further request is read. */
    private boolean last;

    private boolean counted = true;

    /** True while this connection has the permit for a file. */
    private boolean keepsFile;

    /**
     * The content of the pages.
     *
     * @param workers   runs tasks that may block; refuses tasks when there are too many
     * @param presences the connections that may stay open only to say that this process runs
     * @param files     one permit: one configuration file at a time is kept in memory
     * @param open      the open connections, without those that belong to clients now
     */
    record Content(
            NodePages pages,
            NodeTraffic traffic,
            Supplier<@Nullable ClientGateways> gateways,
            Executor workers,
            Semaphore presences,
            Semaphore files,
            ChannelGroup open) {}

    /**
     * @param secure whether the connection uses TLS
     * @param released called once when the connection does not count for the node port any more
     */
    NodeRequests(Content content, NodePortOptions options, boolean secure, Runnable released) {
        this.content = content;
        this.options = options;
        this.secure = secure;
        this.released = released;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        content.open().add(context.channel()); // closes it if the port is closed
        awaitHead(context, options.headMs());
        context.fireChannelActive();
    }

    private void awaitHead(ChannelHandlerContext context, long timeMs) {
        cancelDeadline();
        deadline = context.executor().schedule(() -> context.close(), timeMs, TimeUnit.MILLISECONDS);
    }

    private void cancelDeadline() {
        Future<?> pending = deadline;
        deadline = null;
        if (pending != null) {
            pending.cancel(false);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (busy || last) {
                last = true; // requests before the response to an earlier one are not served
            } else if (message instanceof HttpRequest head) {
                begin(context, head);
            } else if (message instanceof HttpContent part && !collect(context, part)) {
                return;
            } else if (message instanceof LastHttpContent) {
                HttpRequest complete = request;
                request = null;
                if (complete != null) {
                    cancelDeadline();
                    busy = true;
                    serve(context, complete);
                }
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void begin(ChannelHandlerContext context, HttpRequest head) {
        body = NO_BODY;
        filled = 0;
        boolean decoded = head.decoderResult().isSuccess();
        long bytes = decoded ? HttpUtil.getContentLength(head, 0L) : 0;
        boolean post = decoded && head.method().equals(HttpMethod.POST);
        boolean file = post && head.uri().equals(APPLY) && bytes <= FILE_BYTES_MAX;
        boolean mayHaveBody = file || post && head.uri().startsWith(NODE) && bytes <= NodeLink.REQUEST_BYTES_MAX;
        if (!decoded) {
            refuse(context, HttpResponseStatus.BAD_REQUEST, "Expected a valid HTTP request, but it cannot be parsed.");
        } else if (HttpUtil.isTransferEncodingChunked(head) || bytes != 0 && !mayHaveBody) {
            refuse(context, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "Expected a request without a body.");
        } else {
            request = head;
            closesAfter = !HttpUtil.isKeepAlive(head);
            Peer peer = peer(context);
            // Only nodes send bodies, and operators send files.
            discards = file ? peer == Peer.STRANGER : peer != Peer.NODE;
            if (file && !discards) {
                if (!content.files().tryAcquire()) {
                    request = null;
                    refuse(
                            context,
                            HttpResponseStatus.SERVICE_UNAVAILABLE,
                            "The node receives another configuration file. Please try again later.");
                    return;
                }
                keepsFile = true;
            }
            body = bytes == 0 || discards ? NO_BODY : new byte[(int) bytes];
        }
    }

    /** Keeps the bytes of a body. Returns false if nothing more is to be done with this part. */
    private boolean collect(ChannelHandlerContext context, HttpContent part) {
        int bytes = part.content().readableBytes();
        if (request == null || bytes == 0 || discards) {
            return true;
        }
        if (!part.decoderResult().isSuccess() || bytes > body.length - filled) {
            request = null;
            refuse(context, HttpResponseStatus.BAD_REQUEST, "Expected a body of " + body.length + " bytes.");
            return false;
        }
        part.content().readBytes(body, filled, bytes);
        filled += bytes;
        return true;
    }

    private void serve(ChannelHandlerContext context, HttpRequest head) {
        String uri = head.uri();
        int query = uri.indexOf('?');
        String path = query < 0 ? uri : uri.substring(0, query);
        boolean get = head.method().equals(HttpMethod.GET) || head.method().equals(HttpMethod.HEAD);
        Peer peer = peer(context);
        boolean health = (path.equals(HEALTH) || path.equals(SYNCED)) && get;
        if (peer == Peer.STRANGER) {
            closesAfter = true; // its connection must not take the place of another one
        }
        if (!health && !isAllowed(peer, path)) {
            refuse(context, HttpResponseStatus.FORBIDDEN, peer == Peer.STRANGER ? NO_CERTIFICATE : NOT_A_NODE);
        } else if (health) {
            Supplier<NodeHealth> page = path.equals(SYNCED) ? content.pages()::synced : content.pages()::health;
            health(context, page, peer != Peer.STRANGER);
        } else if (path.equals("/cluster") && get) {
            answer(context, HttpResponseStatus.OK, JSON, content.pages().cluster());
        } else if (path.equals(METRICS_PATH) && get) {
            onWorker(context, () -> {
                String page = content.pages().metrics();
                later(context, () -> answer(context, HttpResponseStatus.OK, METRICS, page));
            });
        } else if (path.equals(LEAD) && head.method().equals(HttpMethod.POST)) {
            order(context, uri, content.pages()::lead);
        } else if (path.equals(ADD) && head.method().equals(HttpMethod.POST)) {
            add(context, uri);
        } else if (path.equals(REMOVE) && head.method().equals(HttpMethod.POST)) {
            order(context, uri, content.pages()::remove);
        } else if (path.equals(APPLY) && head.method().equals(HttpMethod.POST)) {
            byte[] file = body;
            body = NO_BODY;
            onWorker(context, () -> {
                String changes = content.pages().apply(file);
                later(context, () -> answer(context, HttpResponseStatus.OK, TEXT, changes));
            });
        } else if (path.equals(UPGRADE) && head.method().equals(HttpMethod.POST)) {
            onWorker(context, () -> {
                String levels = content.pages().upgrade();
                later(context, () -> answer(context, HttpResponseStatus.OK, TEXT, levels));
            });
        } else if (path.equals(VERIFY) && (get || head.method().equals(HttpMethod.POST))) {
            onWorker(context, () -> {
                String state = content.pages().verify(!get);
                later(context, () -> answer(context, HttpResponseStatus.OK, JSON, state));
            });
        } else if (path.equals(RelayRequest.PATH) && head.method().equals(HttpMethod.GET)) {
            relay(context, head);
        } else if (path.equals(Presence.PATH) && head.method().equals(HttpMethod.GET)) {
            presence(context, head);
        } else if (path.startsWith(NODE) && head.method().equals(HttpMethod.POST)) {
            traffic(context, path.substring(NODE.length()));
        } else {
            notFound(context);
        }
    }

    /** An order of an operator that concerns one node. */
    @FunctionalInterface
    private interface Order {
        void give(String node) throws IOException;
    }

    private void add(ChannelHandlerContext context, String uri) {
        String node = node(uri);
        onWorker(context, () -> {
            boolean begun = content.pages().add(node);
            later(
                    context,
                    () -> answer(
                            context,
                            begun ? HttpResponseStatus.ACCEPTED : HttpResponseStatus.NO_CONTENT,
                            TEXT,
                            begun ? "The leader adds the node." : ""));
        });
    }

    private static String node(String uri) {
        List<String> nodes = new QueryStringDecoder(uri).parameters().getOrDefault("node", List.of());
        return nodes.size() == 1 ? nodes.get(0) : "";
    }

    private void order(ChannelHandlerContext context, String uri, Order order) {
        String node = node(uri);
        onWorker(context, () -> {
            order.give(node);
            later(context, () -> answer(context, HttpResponseStatus.NO_CONTENT, TEXT, ""));
        });
    }

    /** Returns the other side. On a port without TLS, all programs that can connect are nodes (CL-70). */
    private Peer peer(ChannelHandlerContext context) {
        if (!secure) {
            return Peer.NODE;
        }
        NodeTls tls = context.pipeline().get(NodeTls.class);
        return tls == null ? Peer.STRANGER : ClusterIdentity.peer(tls.session());
    }

    private boolean isAllowed(Peer peer, String path) {
        if (peer == Peer.NODE) {
            return true;
        }
        if (peer == Peer.STRANGER) {
            return path.equals(METRICS_PATH) && options.openMetrics();
        }
        return !path.startsWith(NODE) && !path.equals(RelayRequest.PATH) && !path.equals(Presence.PATH);
    }

    private void traffic(ChannelHandlerContext context, String name) {
        if (!name.matches(NODE_REQUEST)) {
            notFound(context);
            return;
        }
        byte[] sent = body;
        onWorker(context, () -> {
            byte[] result = content.traffic().answer(name, sent);
            ChannelPromise written = context.newPromise();
            later(
                    context,
                    () -> answer(context, HttpResponseStatus.OK, BYTES, Unpooled.wrappedBuffer(result), written));
            // Answers may be large, so their number in memory is that of the workers.
            if (!written.awaitUninterruptibly(options.stallMs())) {
                context.close();
            }
        });
    }

    private void health(ChannelHandlerContext context, Supplier<NodeHealth> page, boolean withReasons) {
        NodeHealth health;
        try {
            health = page.get();
        } catch (RuntimeException e) {
            health = NodeHealth.unhealthy("Cannot determine the state of the node: " + e);
        }
        answer(
                context,
                health.status() == NodeHealth.Status.UNHEALTHY
                        ? HttpResponseStatus.SERVICE_UNAVAILABLE
                        : HttpResponseStatus.OK,
                JSON,
                withReasons ? health.json() : health.jsonWithoutReasons());
    }

    private void relay(ChannelHandlerContext context, HttpRequest head) {
        boolean upgrade = isUpgrade(head, RelayRequest.PROTOCOL);
        RelayRequest relay = RelayRequest.read(
                head.headers().get(RelayRequest.PROTOCOLS_HEADER),
                head.headers().get(RelayRequest.CLIENT_HEADER));
        ClientGateways gateways = content.gateways().get();
        if (!upgrade || relay == null) {
            refuse(
                    context,
                    HttpResponseStatus.BAD_REQUEST,
                    "Expected the headers Connection: Upgrade, Upgrade: " + RelayRequest.PROTOCOL + ", "
                            + RelayRequest.PROTOCOLS_HEADER + " and " + RelayRequest.CLIENT_HEADER + ".");
        } else if (gateways == null) {
            refuse(context, HttpResponseStatus.SERVICE_UNAVAILABLE, "This node does not serve clients.");
        } else {
            takeOver(context, relay, gateways);
        }
    }

    /** Keeps the connection open, without any limit of time: it says that this process runs. */
    private void presence(ChannelHandlerContext context, HttpRequest head) {
        if (!isUpgrade(head, Presence.PROTOCOL)) {
            refuse(
                    context,
                    HttpResponseStatus.BAD_REQUEST,
                    "Expected the headers Connection: Upgrade and Upgrade: " + Presence.PROTOCOL + ".");
        } else if (!content.presences().tryAcquire()) {
            refuse(context, HttpResponseStatus.SERVICE_UNAVAILABLE, "Too many nodes wait for the end of this process.");
        } else {
            context.channel()
                    .closeFuture()
                    .addListener(closed -> content.presences().release());
            last = true; // nothing is read any more
            context.writeAndFlush(accepted(Presence.PROTOCOL));
        }
    }

    private static boolean isUpgrade(HttpRequest head, String protocol) {
        return head.headers().containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
                && head.headers().containsValue(HttpHeaderNames.UPGRADE, protocol, true);
    }

    private static FullHttpResponse accepted(String protocol) {
        FullHttpResponse accepted = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS, Unpooled.EMPTY_BUFFER);
        accepted.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE);
        accepted.headers().set(HttpHeaderNames.UPGRADE, protocol);
        return accepted;
    }

    private void takeOver(ChannelHandlerContext context, RelayRequest relay, ClientGateways gateways) {
        Takeover takeover = new Takeover(relay, gateways);
        context.channel().config().setAutoRead(false);
        ChannelFuture sent = context.writeAndFlush(accepted(RelayRequest.PROTOCOL));
        context.pipeline().addLast(takeover);
        context.pipeline().remove(this);
        context.pipeline().remove(HttpServerCodec.class); // passes on the bytes that it has read already
        takeover.begin(context.channel(), sent);
    }

    /** A task that may block. */
    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }

    private void onWorker(ChannelHandlerContext context, Work task) {
        try {
            content.workers().execute(() -> {
                try {
                    task.run();
                } catch (IOException | RuntimeException e) {
                    // A refusal has its reason in the answer, and a node that waits repeats its request several times a
                    // second.
                    LOG.atLevel(e instanceof IOException ? Level.DEBUG : Level.WARN)
                            .setCause(e instanceof IOException ? null : e)
                            .log("A request of {} failed: {}", context.channel().remoteAddress(), e.toString());
                    later(
                            context,
                            () -> refuse(
                                    context, HttpResponseStatus.SERVICE_UNAVAILABLE, String.valueOf(e.getMessage())));
                }
            });
        } catch (RejectedExecutionException busyNow) {
            refuse(
                    context,
                    HttpResponseStatus.SERVICE_UNAVAILABLE,
                    "The node is busy with requests of other nodes. Please try again later.");
        }
    }

    private static void later(ChannelHandlerContext context, Runnable task) {
        context.executor().execute(task);
    }

    private void notFound(ChannelHandlerContext context) {
        answer(context, HttpResponseStatus.NOT_FOUND, TEXT, "There is no such page.");
    }

    private void refuse(ChannelHandlerContext context, HttpResponseStatus status, String why) {
        closesAfter = true;
        busy = true;
        answer(context, status, TEXT, why);
    }

    private void answer(ChannelHandlerContext context, HttpResponseStatus status, String type, String text) {
        answer(context, status, type, Unpooled.copiedBuffer(text, StandardCharsets.UTF_8), context.newPromise());
    }

    private void answer(
            ChannelHandlerContext context,
            HttpResponseStatus status,
            String type,
            ByteBuf bytes,
            ChannelPromise written) {
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, bytes);
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
        response.headers().set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
        if (!status.equals(HttpResponseStatus.NO_CONTENT)) {
            response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, bytes.readableBytes());
        }
        if (closesAfter) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        returnFilePermit(); // before the client can send the next file
        context.writeAndFlush(response, written);
        finished(context);
    }

    /** Ends a request after its response was written. */
    private void finished(ChannelHandlerContext context) {
        busy = false;
        if (closesAfter || last) {
            last = true;
            context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
            awaitHead(context, options.headMs()); // a peer that reads nothing must not keep the socket open
        } else {
            awaitHead(context, options.idleMs());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        release(context);
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        release(context);
    }

    private void returnFilePermit() {
        if (keepsFile) {
            keepsFile = false;
            content.files().release();
        }
    }

    private void release(ChannelHandlerContext context) {
        returnFilePermit();
        cancelDeadline();
        content.open().remove(context.channel());
        if (counted) {
            counted = false;
            released.run();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug(
                "The connection of {} to the node port failed: {}",
                context.channel().remoteAddress(),
                cause.toString());
        context.close();
    }
}
