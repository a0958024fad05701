package dev.jitney.gateway.http.exchange;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.spi.transport.Transport;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The sockets of a Vert.x instance, whose listeners tell of each socket that they accept. Vert.x itself tells of a
 * connection after the handshake of TLS, so that clients that never finish one would count nowhere. Any thread may call it.
 */
public final class AdmittingTransport implements io.vertx.core.transport.Transport {
    private final AtomicReference<@Nullable Consumer<Channel>> accepted = new AtomicReference<>();

    /** Tells of accepted sockets from now on, on the threads that accept them. */
    public void onAccepted(Consumer<Channel> action) {
        accepted.set(action);
    }

    @Override
    public String name() {
        return "nio";
    }

    @Override
    public boolean available() {
        return true;
    }

    @Override
    public @Nullable Throwable unavailabilityCause() {
        return null;
    }

    @Override
    public Transport implementation() {
        return new NioTransport() {
            @Override
            public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
                return Listener::new;
            }
        };
    }

    private final class Listener extends NioServerSocketChannel {
        @Override
        protected int doReadMessages(List<Object> sockets) throws Exception {
            int before = sockets.size();
            int count = super.doReadMessages(sockets);
            Consumer<Channel> action = accepted.get();
            for (int i = before; action != null && i < sockets.size(); i++) {
                if (sockets.get(i) instanceof Channel channel) {
                    action.accept(channel);
                }
            }
            return count;
        }
    }
}
