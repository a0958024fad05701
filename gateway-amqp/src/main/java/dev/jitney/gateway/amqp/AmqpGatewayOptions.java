package dev.jitney.gateway.amqp;

import dev.jitney.gateway.amqp.connection.ConnectionLimits;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLException;
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

    /**
     * The same with a port with TLS 1.2 and 1.3. The engine is the JDK's, so that the server name a client asks for can
     * be read from its session.
     *
     * @param key private key of the first certificate
     * @param chain the server's certificate first, then those that vouch for it
     * @throws SSLException if key and certificates cannot be used
     */
    public AmqpGatewayOptions withTls(int port, PrivateKey key, List<X509Certificate> chain) throws SSLException {
        return withTls(
                port,
                SslContextBuilder.forServer(key, chain)
                        .sslProvider(SslProvider.JDK)
                        .protocols("TLSv1.3", "TLSv1.2")
                        .build());
    }

    public AmqpGatewayOptions withLimits(ConnectionLimits value) {
        return new AmqpGatewayOptions(host, plainPort, tlsPort, tls, eventLoops, maxSockets, value);
    }

    public AmqpGatewayOptions withEventLoops(int value) {
        return new AmqpGatewayOptions(host, plainPort, tlsPort, tls, value, maxSockets, limits);
    }
}
