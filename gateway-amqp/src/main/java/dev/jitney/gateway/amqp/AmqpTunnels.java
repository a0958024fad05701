package dev.jitney.gateway.amqp;

import dev.jitney.gateway.amqp.connection.AmqpConnectionHandler;
import dev.jitney.gateway.amqp.shared.GatewayContext;
import dev.jitney.gateway.amqp.tunnel.TunnelChannel;
import dev.jitney.gateway.amqp.tunnel.TunnelEnd;
import io.netty.channel.EventLoopGroup;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The connections of one gateway that another listener accepted. Any thread may call it. */
final class AmqpTunnels {
    private final GatewayContext context;
    private final EventLoopGroup loops;
    private final Map<TunnelChannel, AmqpConnectionHandler> open = new ConcurrentHashMap<>();
    private volatile boolean closed;

    AmqpTunnels(GatewayContext context, EventLoopGroup loops) {
        this.context = context;
        this.loops = loops;
    }

    @Nullable
    TunnelEnd open(SocketAddress client, @Nullable String serverName, TunnelEnd far) {
        if (closed || !context.hasRoom()) {
            return null;
        }
        TunnelChannel channel = new TunnelChannel(client, far);
        AmqpConnectionHandler handler = new AmqpConnectionHandler(context, serverName);
        channel.pipeline().addLast(handler);
        open.put(channel, handler);
        channel.closeFuture().addListener(end -> open.remove(channel));
        loops.register(channel);
        if (closed) { // close() may have run a moment ago and missed this connection
            shutDown(channel, handler);
        }
        return channel.near();
    }

    /** Refuses new connections and closes the open ones. They end soon, see {@link #allGone}. */
    void close() {
        closed = true;
        open.forEach(AmqpTunnels::shutDown);
    }

    boolean allGone() {
        return open.isEmpty();
    }

    private static void shutDown(TunnelChannel channel, AmqpConnectionHandler handler) {
        channel.eventLoop().execute(() -> handler.shutDown(AmqpGateway.GOODBYE)); // once it is registered
    }
}
