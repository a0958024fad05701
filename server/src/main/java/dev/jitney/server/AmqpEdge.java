package dev.jitney.server;

import dev.jitney.gateway.amqp.AmqpGateway;
import dev.jitney.gateway.amqp.AmqpGatewayOptions;
import dev.jitney.gateway.amqp.connection.AmqpFigures;
import dev.jitney.gateway.amqp.connection.IdleRules;
import dev.jitney.gateway.http.websocket.AmqpTunnels;
import dev.jitney.runtime.Broker;
import dev.jitney.server.tls.ServerIdentity;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The AMQP gateway as the server's life cycle sees it. */
final class AmqpEdge implements AmqpListeners {
    private final AmqpGateway gateway;

    private AmqpEdge(AmqpGateway gateway) {
        this.gateway = gateway;
    }

    static AmqpEdge open(Broker broker, ServerOptions options, @Nullable ServerIdentity identity)
            throws StartException {
        Integer tlsPort = options.amqpsPort();
        AmqpGatewayOptions gatewayOptions = AmqpGatewayOptions.on(options.host(), options.amqpPort())
                .withIdleRules(options.closeIdle() ? IdleRules.SERVICE : IdleRules.OFF);
        if (tlsPort != null && identity != null) {
            try {
                gatewayOptions = gatewayOptions.withTls(tlsPort, identity.key(), identity.chain());
            } catch (SSLException e) {
                throw StartException.badOption(
                        "--tls " + options.tls() + ": The certificate cannot be used for TLS: " + e.getMessage(), e);
            }
        }
        AmqpGateway gateway = new AmqpGateway(broker, gatewayOptions);
        try {
            gateway.start();
            return new AmqpEdge(gateway);
        } catch (IllegalStateException e) {
            boolean secure = tlsPort != null && String.valueOf(e.getMessage()).contains(":" + tlsPort + ",");
            String option = secure ? "--amqps-port " + tlsPort : "--amqp-port " + options.amqpPort();
            throw JitneyServer.cannotListen(option, options.host(), e);
        }
    }

    @Override
    public int port() {
        return gateway.plainPort();
    }

    @Override
    public @Nullable Integer tlsPort() {
        int port = gateway.tlsPort();
        return port < 0 ? null : port;
    }

    @Override
    public boolean isListening() {
        return gateway.isListening();
    }

    @Override
    public AmqpFigures figures() {
        return gateway.figures();
    }

    @Override
    public AmqpTunnels tunnels() {
        return new TunnelWiring(gateway);
    }

    @Override
    public void close() {
        gateway.close();
    }
}
