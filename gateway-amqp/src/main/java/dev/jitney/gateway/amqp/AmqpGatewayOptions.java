package dev.jitney.gateway.amqp;

import dev.jitney.gateway.amqp.shared.ConnectionLimits;
import dev.jitney.gateway.amqp.shared.IdleRules;
import dev.jitney.runtime.client.ClientAdmission;
import dev.jitney.runtime.memory.ClientMemory;
import io.netty.handler.ssl.SslContext;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The ports and limits of an {@link AmqpGateway}.
 *
 * @param host address to bind
 * @param plainPort port without TLS, 0 for any free one, or null for none
 * @param tlsPort port with TLS, 0 for any free one, or null for none
 * @param tls server side TLS settings, read again for each connection; needed with {@code tlsPort}
 * @param eventLoops threads that serve connections; 0 for one per processor
 * @param maxSockets limit of open sockets over all namespaces, whether or not a connection was opened on them. At the
 *                   limit, a new socket takes the place of the oldest one without an accepted credential, or is closed
 *                   at once if there is none
 * @param limits limits of one connection
 * @param memory memory budget of all connections together
 * @param idleRules rules that close idle links and connections
 * @param admission rules by which clients are admitted
 */
public record AmqpGatewayOptions(
        String host,
        @Nullable Integer plainPort,
        @Nullable Integer tlsPort,
        @Nullable Supplier<SslContext> tls,
        int eventLoops,
        int maxSockets,
        ConnectionLimits limits,
        ClientMemory memory,
        IdleRules idleRules,
        ClientAdmission admission) {

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
            @Nullable Supplier<SslContext> tls,
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
                ClientAdmission.open());
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
        return withTls(port, () -> context);
    }

    /** Returns a copy with TLS settings, but without a port for TLS alone. */
    public AmqpGatewayOptions withTls(Supplier<SslContext> settings) {
        return new AmqpGatewayOptions(
                host, plainPort, null, settings, eventLoops, maxSockets, limits, memory, idleRules, admission);
    }

    /** Returns a copy with a port for TLS. The settings are read again for each connection. */
    public AmqpGatewayOptions withTls(int port, Supplier<SslContext> settings) {
        return new AmqpGatewayOptions(
                host, plainPort, port, settings, eventLoops, maxSockets, limits, memory, idleRules, admission);
    }

    public AmqpGatewayOptions withLimits(ConnectionLimits value) {
        return new AmqpGatewayOptions(
                host, plainPort, tlsPort, tls, eventLoops, maxSockets, value, memory, idleRules, admission);
    }

    /** Returns a copy with a memory budget that may be shared with others. */
    public AmqpGatewayOptions withMemory(ClientMemory value) {
        return new AmqpGatewayOptions(
                host, plainPort, tlsPort, tls, eventLoops, maxSockets, limits, value, idleRules, admission);
    }

    public AmqpGatewayOptions withEventLoops(int value) {
        return new AmqpGatewayOptions(
                host, plainPort, tlsPort, tls, value, maxSockets, limits, memory, idleRules, admission);
    }

    public AmqpGatewayOptions withIdleRules(IdleRules value) {
        return new AmqpGatewayOptions(
                host, plainPort, tlsPort, tls, eventLoops, maxSockets, limits, memory, value, admission);
    }

    public AmqpGatewayOptions withAdmission(ClientAdmission value) {
        return new AmqpGatewayOptions(
                host, plainPort, tlsPort, tls, eventLoops, maxSockets, limits, memory, idleRules, value);
    }
}
