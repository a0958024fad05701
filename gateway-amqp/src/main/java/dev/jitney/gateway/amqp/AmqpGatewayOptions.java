package dev.jitney.gateway.amqp;

import dev.jitney.gateway.amqp.shared.ConnectionLimits;
import dev.jitney.gateway.amqp.shared.IdleRules;
import dev.jitney.runtime.memory.ClientMemory;
import dev.jitney.runtime.security.IdentityProvider;
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
 * The ports and limits of an {@link AmqpGateway}.
 *
 * @param host address to bind
 * @param plainPort port without TLS, 0 for any free one, or null for none
 * @param tlsPort port with TLS, 0 for any free one, or null for none
 * @param tls server side TLS settings, needed with {@code tlsPort}
 * @param eventLoops threads that serve connections; 0 for one per processor
 * @param maxSockets limit of open sockets over all namespaces, whether or not a connection was opened on them; the
 *                   gateway closes further sockets at once
 * @param limits limits of one connection
 * @param memory memory budget of all connections together
 * @param idleRules rules that close idle links and connections
 * @param identities identity provider whose tokens are accepted
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
        IdleRules idleRules,
        IdentityProvider identities) {

    public AmqpGatewayOptions {
        if (tlsPort != null && tls == null) {
            throw new IllegalArgumentException("Expected TLS settings for port " + tlsPort + ", but got none.");
        }
    }

    /** Creates options with a memory budget that fits the heap. */
    public AmqpGatewayOptions(
            String host,
            @Nullable Integer plainPort,
            @Nullable Integer tlsPort,
            @Nullable SslContext tls,
            int eventLoops,
            int maxSockets,
            ConnectionLimits limits,
            IdleRules idleRules) {
        this(
                host,
                plainPort,
                tlsPort,
                tls,
                eventLoops,
                maxSockets,
                limits,
                ClientMemory.ofHeap(),
                idleRules,
                IdentityProvider.NONE);
    }

    /** Returns options for one port without TLS, with defaults for everything else. */
    public static AmqpGatewayOptions plain(String host, int port) {
        return on(host, port);
    }

    /**
     * Returns default options with a port. Without any port, the gateway serves only
     * {@linkplain AmqpGateway#openTunnel tunnels}.
     *
     * @param port port without TLS, 0 for any free one, or null for none
     */
    public static AmqpGatewayOptions on(String host, @Nullable Integer port) {
        return new AmqpGatewayOptions(host, port, null, null, 0, 50_000, ConnectionLimits.defaults(), IdleRules.OFF);
    }

    public AmqpGatewayOptions withTls(int port, SslContext context) {
        return new AmqpGatewayOptions(
                host, plainPort, port, context, eventLoops, maxSockets, limits, memory, idleRules, identities);
    }

    /**
     * Returns a copy with the TLS settings of {@link #withTls(int, PrivateKey, List)}, but without a port for TLS
     * alone.
     */
    public AmqpGatewayOptions withTls(PrivateKey key, List<X509Certificate> chain) throws SSLException {
        return new AmqpGatewayOptions(
                host,
                plainPort,
                null,
                settings(key, chain),
                eventLoops,
                maxSockets,
                limits,
                memory,
                idleRules,
                identities);
    }

    /**
     * Returns a copy with a port for TLS 1.2 and 1.3 with the suites of {@link TlsSuites}. The TLS engine is the JDK's,
     * so that the gateway can read the requested server name from its session.
     *
     * @param key private key of the first certificate
     * @param chain the server's certificate first, then the certificates of its issuers
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
        return new AmqpGatewayOptions(
                host, plainPort, tlsPort, tls, eventLoops, maxSockets, value, memory, idleRules, identities);
    }

    /** Returns a copy with a memory budget that may be shared with others. */
    public AmqpGatewayOptions withMemory(ClientMemory value) {
        return new AmqpGatewayOptions(
                host, plainPort, tlsPort, tls, eventLoops, maxSockets, limits, value, idleRules, identities);
    }

    public AmqpGatewayOptions withEventLoops(int value) {
        return new AmqpGatewayOptions(
                host, plainPort, tlsPort, tls, value, maxSockets, limits, memory, idleRules, identities);
    }

    public AmqpGatewayOptions withIdleRules(IdleRules value) {
        return new AmqpGatewayOptions(
                host, plainPort, tlsPort, tls, eventLoops, maxSockets, limits, memory, value, identities);
    }

    /** Returns a copy that accepts the tokens of an identity provider. */
    public AmqpGatewayOptions withIdentities(IdentityProvider value) {
        return new AmqpGatewayOptions(
                host, plainPort, tlsPort, tls, eventLoops, maxSockets, limits, memory, idleRules, value);
    }
}
