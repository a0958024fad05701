package dev.jitney.gateway.amqp;

import dev.jitney.gateway.amqp.shared.ConnectionLimits;
import dev.jitney.gateway.amqp.shared.IdleRules;
import dev.jitney.runtime.memory.ClientMemory;
import dev.jitney.runtime.security.TlsSuites;
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
 * @param memory what all connections together may claim
 * @param idleRules when idle links and connections are closed
 */
public record AmqpGatewayOptions(
        String host,
        @Nullable Integer plainPort,
        @Nullable Integer tlsPort,
        @Nullable SslContext tls,
        int eventLoops,
        int maxSockets,
        ConnectionLimits limits,
        ClientMemory memory,
        IdleRules idleRules) {

    public AmqpGatewayOptions {
        if (tlsPort != null && tls == null) {
            throw new IllegalArgumentException("Expected TLS settings for port " + tlsPort + ", but got none.");
        }
    }

    /** The options with a budget that fits the heap. */
    public AmqpGatewayOptions(
            String host,
            @Nullable Integer plainPort,
            @Nullable Integer tlsPort,
            @Nullable SslContext tls,
            int eventLoops,
            int maxSockets,
            ConnectionLimits limits,
            IdleRules idleRules) {
        this(host, plainPort, tlsPort, tls, eventLoops, maxSockets, limits, ClientMemory.ofHeap(), idleRules);
    }

    /** Plain text on one port, all else by default. */
    public static AmqpGatewayOptions plain(String host, int port) {
        return on(host, port);
    }

    /**
     * All else by default. Without any port only {@linkplain AmqpGateway#openTunnel tunnels} are served.
     *
     * @param port port without TLS, 0 for any free one, or null for none
     */
    public static AmqpGatewayOptions on(String host, @Nullable Integer port) {
        return new AmqpGatewayOptions(host, port, null, null, 0, 50_000, ConnectionLimits.defaults(), IdleRules.OFF);
    }

    public AmqpGatewayOptions withTls(int port, SslContext context) {
        return new AmqpGatewayOptions(
                host, plainPort, port, context, eventLoops, maxSockets, limits, memory, idleRules);
    }

    /** The same with the TLS settings of {@link #withTls(int, PrivateKey, List)}, but without a port that has nothing but TLS. */
    public AmqpGatewayOptions withTls(PrivateKey key, List<X509Certificate> chain) throws SSLException {
        return new AmqpGatewayOptions(
                host, plainPort, null, settings(key, chain), eventLoops, maxSockets, limits, memory, idleRules);
    }

    /**
     * The same with a port with TLS 1.2 and 1.3 and the suites of {@link TlsSuites}. The engine is the JDK's, so that the server name a client asks for can
     * be read from its session.
     *
     * @param key private key of the first certificate
     * @param chain the server's certificate first, then those that vouch for it
     * @throws SSLException if key and certificates cannot be used
     */
    public AmqpGatewayOptions withTls(int port, PrivateKey key, List<X509Certificate> chain) throws SSLException {
        return withTls(port, settings(key, chain));
    }

    private static SslContext settings(PrivateKey key, List<X509Certificate> chain) throws SSLException {
        return SslContextBuilder.forServer(key, chain)
                .sslProvider(SslProvider.JDK)
                .protocols("TLSv1.3", "TLSv1.2")
                .ciphers(TlsSuites.accepted())
                .build();
    }

    public AmqpGatewayOptions withLimits(ConnectionLimits value) {
        return new AmqpGatewayOptions(host, plainPort, tlsPort, tls, eventLoops, maxSockets, value, memory, idleRules);
    }

    /** The same with a budget that others may share. */
    public AmqpGatewayOptions withMemory(ClientMemory value) {
        return new AmqpGatewayOptions(host, plainPort, tlsPort, tls, eventLoops, maxSockets, limits, value, idleRules);
    }

    public AmqpGatewayOptions withEventLoops(int value) {
        return new AmqpGatewayOptions(host, plainPort, tlsPort, tls, value, maxSockets, limits, memory, idleRules);
    }

    public AmqpGatewayOptions withIdleRules(IdleRules value) {
        return new AmqpGatewayOptions(host, plainPort, tlsPort, tls, eventLoops, maxSockets, limits, memory, value);
    }
}
