package dev.jitney.server.front;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection that another node serves: the client's socket here, a connection to the leader's node port, and the bytes
 * in between, unchanged (CL-20). For one event loop, except for {@link #start} and {@link #close}.
 *
 * <table>
 * <caption>The steps</caption>
 * <tr><th>step</th><th>if it fails</th></tr>
 * <tr><td>connect to the leader and send a {@link RelayRequest}</td><td>{@link Owner#failed}; nothing was read from the
 * client yet</td></tr>
 * <tr><td>the leader answers 101: register the client's socket</td><td>{@link Owner#ended}</td></tr>
 * <tr><td>pass bytes on in both directions</td><td>{@link Owner#ended}</td></tr>
 * </table>
 */
final class Relay {
    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(16 * 1024, 32 * 1024);

    /** The time for the other direction when one side has sent all its bytes. */
    private static final long HALF_CLOSED_MS = 30_000;

    private static final long CLOSE_NOTIFY_MS = 1_000;

    private final FrontClient client;
    private final InetSocketAddress address;
    private final Target target;
    private final EventLoop loop;
    private final RelayMemory memory;
    private final Owner owner;
    private @Nullable Channel toLeader;
    private @Nullable Future<?> deadline;
    private boolean opened;
    private boolean over;
    private int endedDirections;

    /**
     * The leader.
     *
     * @param nodePort its node port
     * @param tls      the settings of TLS, or null for a connection without it (CL-70)
     */
    record Target(InetSocketAddress nodePort, @Nullable SslContext tls) {}

    /** The recipient of a relay's outcome; called on the relay's event loop. */
    interface Owner {
        /** The leader has taken the connection over. */
        void opened(Relay relay);

        /** The leader does not serve the connection, of which nothing was read. The client's socket is still open. */
        void failed(Relay relay, String why);

        /** The connection has ended, and all sockets are closed. */
        void ended(Relay relay);
    }

    /**
     * @param client the connection to pass on
     * @param address address of the client
     * @param target node port of the leader
     */
    Relay(
            FrontClient client,
            InetSocketAddress address,
            Target target,
            EventLoop loop,
            RelayMemory memory,
            Owner owner) {
        this.client = client;
        this.address = address;
        this.target = target;
        this.loop = loop;
        this.memory = memory;
        this.owner = owner;
    }

    FrontClient client() {
        return client;
    }

    InetSocketAddress leader() {
        return target.nodePort();
    }

    /** Begins. Any thread may call it. */
    void start(long connectMs) {
        loop.execute(() -> connect(connectMs));
    }

    private void connect(long connectMs) {
        if (over) {
            return;
        }
        deadline =
                loop.schedule(() -> fail("No answer within " + connectMs + " ms."), connectMs, TimeUnit.MILLISECONDS);
        new Bootstrap()
                .group(loop)
                .channel(Transport.socketClass())
                .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new RelayReads(memory))
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        secure(channel);
                        channel.pipeline().addLast(new RelayAnswer(Relay.this::accepted, Relay.this::fail));
                    }
                })
                .connect(leader())
                .addListener((io.netty.channel.ChannelFuture connected) -> {
                    Channel channel = connected.channel();
                    if (!connected.isSuccess()) {
                        fail(String.valueOf(connected.cause().getMessage()));
                    } else if (over) {
                        channel.close();
                    } else {
                        toLeader = channel;
                        channel.writeAndFlush(
                                Unpooled.wrappedBuffer(new RelayRequest(client.port(), address).toBytes(leader())));
                    }
                });
    }

    /** Adds TLS. The host is that of the settings, so it is in the certificate of the leader. */
    private void secure(Channel channel) {
        SslContext tls = target.tls();
        if (tls != null) {
            SslHandler handler = tls.newHandler(channel.alloc(), leader().getHostString(), leader().getPort());
            handler.setCloseNotifyFlushTimeout(CLOSE_NOTIFY_MS, TimeUnit.MILLISECONDS);
            channel.pipeline().addLast(handler);
        }
    }

    /** Takes the leader's consent. The channel to the leader reads nothing at the moment. */
    private void accepted(Channel leaderChannel) {
        if (over) {
            return;
        }
        cancelDeadline();
        opened = true;
        Channel socket = client.socket();
        socket.config().setAutoRead(false);
        socket.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        socket.config().setOption(ChannelOption.TCP_NODELAY, true);
        socket.config().setOption(ChannelOption.SO_KEEPALIVE, true);
        socket.config().setWriteBufferWaterMark(WATER_MARK);
        socket.config().setRecvByteBufAllocator(new RelayReads(memory));
        socket.closeFuture().addListener(closed -> loop.execute(this::finish));
        leaderChannel.closeFuture().addListener(closed -> loop.execute(this::finish));
        owner.opened(this);
        Passage up = new Passage(leaderChannel, true, memory, this::oneDirectionEnded);
        Passage down = new Passage(socket, false, memory, this::oneDirectionEnded);
        socket.pipeline().addLast(up); // first, because a client that has sent its last bytes is read in any case
        loop.register(socket)
                .addListener(registered -> loop.execute(() -> {
                    if (!registered.isSuccess() || over) {
                        end();
                        return;
                    }
                    leaderChannel.pipeline().addLast(down);
                    leaderChannel.pipeline().remove(RelayAnswer.class); // passes on the bytes that it has read already
                    down.begin(leaderChannel);
                    up.begin(socket);
                }));
    }

    private void oneDirectionEnded() {
        endedDirections++;
        if (endedDirections == 1) {
            deadline = loop.schedule(this::end, HALF_CLOSED_MS, TimeUnit.MILLISECONDS);
            return;
        }
        Channel leaderChannel = toLeader;
        if (leaderChannel != null) {
            closeWhenWritten(leaderChannel);
        }
        closeWhenWritten(client.socket());
    }

    private static void closeWhenWritten(Channel channel) {
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> channel.close());
    }

    private void fail(String why) {
        if (!over && !opened) {
            over = true;
            cancelDeadline();
            closeLeader();
            owner.failed(this, why);
        }
    }

    /** Gives up if the leader has not answered yet. Any thread may call it. */
    void cancel() {
        loop.execute(() -> fail("The leader has changed."));
    }

    /** Closes the connection with everything in it. Any thread may call it. */
    void close() {
        loop.execute(this::end);
    }

    private void end() {
        if (over) {
            return;
        }
        over = true;
        cancelDeadline();
        closeLeader();
        if (client.socket().isRegistered()) {
            client.socket().close();
        } else {
            client.close();
        }
        owner.ended(this);
    }

    /** Ends when both sockets are closed; a {@link Passage} closes the second one after its last bytes. */
    private void finish() {
        Channel leaderChannel = toLeader;
        if (!client.socket().isOpen() && (leaderChannel == null || !leaderChannel.isOpen())) {
            end();
        } else if (deadline == null) {
            deadline = loop.schedule(this::end, HALF_CLOSED_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void closeLeader() {
        Channel leaderChannel = toLeader;
        if (leaderChannel != null) {
            leaderChannel.close();
        }
    }

    private void cancelDeadline() {
        Future<?> pending = deadline;
        deadline = null;
        if (pending != null) {
            pending.cancel(false);
        }
    }
}
