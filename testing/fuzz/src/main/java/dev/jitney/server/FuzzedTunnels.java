package dev.jitney.server;

import dev.jitney.gateway.amqp.AmqpGateway;
import dev.jitney.gateway.http.websocket.AmqpTunnels;

/** The connection of WebSockets to AMQP, as in the server. */
public final class FuzzedTunnels {
    private FuzzedTunnels() {}

    /** Connects WebSockets to a gateway. */
    public static AmqpTunnels to(AmqpGateway gateway) {
        return new TunnelWiring(gateway);
    }
}
