package dev.jitney.gateway.amqp;

import dev.jitney.gateway.amqp.connection.ConnectionLimits;
import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link AmqpGateway} listens on and what it allows.
 *
 * @param host address to bind
 * @param plainPort port without TLS, 0 for any free one, or null for none
 * @param tlsPort port with TLS, 0 for any free one, or null for none
 * @param tls server side TLS settings, needed with {@code tlsPort}
 * @param eventLoops threads that serve connections; 0 for one per processor
 * @param maxSockets sockets over all namespaces, opened or not; more are closed at once
 * @param limits what one connection may cost
 */
public record AmqpGatewayOptions(
        String host,
        @Nullable Integer plainPort,
        @Nullable Integer tlsPort,
        @Nullable SslContext tls,
        int eventLoops,
        int maxSockets,
        ConnectionLimits limits) {

    public AmqpGatewayOptions {
        if (plainPort == null && tlsPort == null) {
            throw new IllegalArgumentException("Expected a plain or a TLS port, but got neither.");
        }
        if (tlsPort != null && tls == null) {
            throw new IllegalArgumentException("Expected TLS settings for port " + tlsPort + ", but got none.");
        }
    }

    /** Plain text on one port, all else by default. */
    public static AmqpGatewayOptions plain(String host, int port) {
        return new AmqpGatewayOptions(host, port, null, null, 0, 50_000, ConnectionLimits.defaults());
    }

    public AmqpGatewayOptions withTls(int port, SslContext context) {
        return new AmqpGatewayOptions(host, plainPort, port, context, eventLoops, maxSockets, limits);
    }

    public AmqpGatewayOptions withLimits(ConnectionLimits value) {
        return new AmqpGatewayOptions(host, plainPort, tlsPort, tls, eventLoops, maxSockets, value);
    }

    public AmqpGatewayOptions withEventLoops(int value) {
        return new AmqpGatewayOptions(host, plainPort, tlsPort, tls, value, maxSockets, limits);
    }
}
