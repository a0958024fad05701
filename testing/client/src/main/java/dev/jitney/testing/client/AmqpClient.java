package dev.jitney.testing.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The event loops of any number of connections. Thread-safe; closing the client closes all connections. */
public final class AmqpClient implements AutoCloseable {
    private static final int CONNECT_TIMEOUT_MS = 60_000;
    private static final long OPEN_SECONDS = 60;
    private static final int LOW_WATER_BYTES = 256 * 1024;
    private static final int HIGH_WATER_BYTES = 1024 * 1024;

    private final EventLoopGroup loops;

    /** @param threads the number of event loops, to which connections are assigned in turn */
    public AmqpClient(int threads) {
        loops = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("amqp-client", true), NioIoHandler.newFactory());
    }

    /** Connects. Completes when the broker has opened connection and session. */
    public CompletableFuture<ClientConnection> connect(Endpoint endpoint) {
        CompletableFuture<ClientConnection> opened = new CompletableFuture<>();
        new Bootstrap()
                .group(loops)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MS)
                .option(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(LOW_WATER_BYTES, HIGH_WATER_BYTES))
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (endpoint.tls()) {
                            channel.pipeline().addLast(ClientTls.handler(channel.alloc()));
                        }
                        if (endpoint.webSocket()) {
                            WebSocketOctets.addTo(channel.pipeline(), endpoint);
                        }
                        channel.pipeline().addLast(new ClientConnection(endpoint, channel, opened));
                    }
                })
                .connect(endpoint.host(), endpoint.port())
                .addListener(connected -> {
                    if (!connected.isSuccess()) {
                        opened.completeExceptionally(connected.cause());
                    }
                });
        return opened;
    }

    /** Connects and waits for the result. */
    public ClientConnection open(Endpoint endpoint) throws AmqpException, InterruptedException {
        return await(connect(endpoint));
    }

    /** Waits for a response of the broker, at most one minute. Do not call it on an event loop. */
    public static <T> T await(CompletableFuture<T> future) throws AmqpException, InterruptedException {
        try {
            return future.get(OPEN_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AmqpException refused) {
                throw refused;
            }
            throw new AmqpException(null, String.valueOf(e.getCause()), e.getCause());
        } catch (TimeoutException e) {
            throw new AmqpException(null, "Expected a response within " + OPEN_SECONDS + " s, but got none.", e);
        }
    }

    @Override
    public void close() {
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
