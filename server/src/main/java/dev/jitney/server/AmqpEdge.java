package dev.jitney.server;

import dev.jitney.runtime.Broker;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** The AMQP listeners of the product. */
final class AmqpEdge implements AmqpListeners {
    private final EventLoopGroup group;
    private final Channel plain;
    private final @Nullable Channel secure;

    private AmqpEdge(EventLoopGroup group, Channel plain, @Nullable Channel secure) {
        this.group = group;
        this.plain = plain;
        this.secure = secure;
    }

    static AmqpEdge open(Broker broker, ServerOptions options, @Nullable SslContext tls) throws StartException {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        String option = "--amqp-port " + options.amqpPort();
        try {
            Channel plain = bind(group, options.host(), options.amqpPort());
            Channel secure = null;
            Integer tlsPort = options.amqpsPort();
            if (tlsPort != null && tls != null) {
                option = "--amqps-port " + tlsPort;
                secure = bind(group, options.host(), tlsPort);
            }
            return new AmqpEdge(group, plain, secure);
        } catch (Exception e) {
            group.shutdownGracefully();
            throw JitneyServer.cannotListen(option, options.host(), e);
        }
    }

    private static Channel bind(EventLoopGroup group, String host, int port) {
        return new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                            @Override
                            public void channelActive(ChannelHandlerContext context) {
                                context.close();
                            }
                        });
                    }
                })
                .bind(host, port)
                .syncUninterruptibly()
                .channel();
    }

    @Override
    public int port() {
        return ((InetSocketAddress) plain.localAddress()).getPort();
    }

    @Override
    public @Nullable Integer tlsPort() {
        return secure == null ? null : ((InetSocketAddress) secure.localAddress()).getPort();
    }

    @Override
    public @Nullable String trouble() {
        return null;
    }

    @Override
    public void close() {
        plain.close().syncUninterruptibly();
        if (secure != null) {
            secure.close().syncUninterruptibly();
        }
        group.shutdownGracefully(0, 1, java.util.concurrent.TimeUnit.SECONDS).awaitUninterruptibly(2000);
    }
}
