package dev.jitney.server;

import dev.jitney.gateway.amqp.AmqpGateway;
import dev.jitney.gateway.http.websocket.AmqpTunnels;
import dev.jitney.gateway.http.websocket.TunnelEnd;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The connection between the WebSockets of the HTTP gateway and the AMQP gateway, which do not depend on each other.
 */
record TunnelWiring(AmqpGateway gateway) implements AmqpTunnels {

    @Override
    public @Nullable TunnelEnd open(SocketAddress client, @Nullable String serverName, TunnelEnd far) {
        var near = gateway.openTunnel(client, serverName, new ToHttp(far));
        return near == null ? null : new ToAmqp(near);
    }

    @Override
    public void close() {
        gateway.closeTunnels();
    }

    private record ToHttp(TunnelEnd end) implements dev.jitney.gateway.amqp.tunnel.TunnelEnd {
        @Override
        public void data(ByteBuffer bytes) {
            end.data(bytes);
        }

        @Override
        public void consumed(int bytes) {
            end.consumed(bytes);
        }

        @Override
        public void close() {
            end.close();
        }
    }

    private record ToAmqp(dev.jitney.gateway.amqp.tunnel.TunnelEnd end) implements TunnelEnd {
        @Override
        public void data(ByteBuffer bytes) {
            end.data(bytes);
        }

        @Override
        public void consumed(int bytes) {
            end.consumed(bytes);
        }

        @Override
        public void close() {
            end.close();
        }
    }
}
