package dev.jitney.server;

import dev.jitney.gateway.amqp.AmqpGateway;
import dev.jitney.gateway.amqp.AmqpGatewayOptions;
import dev.jitney.gateway.amqp.GatewayTls;
import dev.jitney.gateway.amqp.listener.HandedSocket;
import dev.jitney.gateway.amqp.listener.HttpDoor;
import dev.jitney.gateway.amqp.listener.SharedPort;
import dev.jitney.gateway.amqp.shared.AmqpFigures;
import dev.jitney.gateway.amqp.shared.IdleRules;
import dev.jitney.gateway.http.HttpGateway;
import dev.jitney.gateway.http.websocket.AmqpTunnels;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.client.ConnectedClients;
import dev.jitney.server.tls.Admittance;
import org.jspecify.annotations.Nullable;

/** The AMQP gateway for the life cycle of the server. */
final class AmqpEdge implements AmqpListeners {
    private final AmqpGateway gateway;
    private final String host;

    private AmqpEdge(AmqpGateway gateway, String host) {
        this.gateway = gateway;
        this.host = host;
    }

    static AmqpEdge open(Broker broker, ServerOptions options, ListenerPlan plan, Admittance admittance)
            throws StartException {
        Integer tlsPort = plan.amqps();
        AmqpGatewayOptions gatewayOptions = AmqpGatewayOptions.on(options.host(), plan.amqp())
                .withIdleRules(options.closeIdle() ? IdleRules.SERVICE : IdleRules.OFF)
                .withAdmission(admittance.clients());
        GatewayTls tls = admittance.gateway();
        if (tls != null) {
            gatewayOptions = tlsPort == null ? gatewayOptions.withTls(tls) : gatewayOptions.withTls(tlsPort, tls);
        }
        AmqpGateway gateway = new AmqpGateway(broker, gatewayOptions);
        try {
            gateway.start();
            return new AmqpEdge(gateway, options.host());
        } catch (IllegalStateException e) {
            boolean secure = tlsPort != null && String.valueOf(e.getMessage()).contains(":" + tlsPort + ",");
            String option = secure ? "--amqps-port " + tlsPort : "--amqp-port " + plan.amqp();
            throw StartException.cannotListen(option, options.host(), e);
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
    public SharedPort open(SharedPort port, @Nullable HttpGateway http) throws StartException {
        try {
            return gateway.open(port, door(http));
        } catch (IllegalStateException e) {
            boolean httpsAlone = port.https() && !port.amqps() && !port.amqp() && !port.http();
            String option = (httpsAlone ? "--https-port " : "--port ") + port.port();
            throw StartException.cannotListen(option, host, e);
        }
    }

    private static HttpDoor door(@Nullable HttpGateway http) {
        return socket -> {
            if (http == null) {
                throw new IllegalStateException("Expected a port without HTTP.");
            }
            http.take(socket.channel(), socket.firstBytes(), socket.client());
        };
    }

    @Override
    public void adopt(HandedSocket socket, SharedPort port, @Nullable HttpGateway http) {
        gateway.adopt(socket, port, door(http));
    }

    @Override
    public void disconnect(String why, long graceMs) {
        gateway.disconnect(why, graceMs);
    }

    @Override
    public void disconnect(Namespace namespace) {
        gateway.disconnect(namespace);
    }

    @Override
    public void delay(Namespace namespace, long ms) {
        gateway.delay(namespace, ms);
    }

    @Override
    public AmqpFigures figures() {
        return gateway.figures();
    }

    @Override
    public ConnectedClients clients() {
        return gateway.clients();
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
