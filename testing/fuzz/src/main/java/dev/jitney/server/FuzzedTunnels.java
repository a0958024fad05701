package dev.jitney.server;

import dev.jitney.gateway.amqp.AmqpGateway;
import dev.jitney.gateway.http.websocket.AmqpTunnels;

/** The wiring between WebSockets and AMQP as the server has it. */
public final class FuzzedTunnels {
    private FuzzedTunnels() {}

    /** Leads WebSockets to a gateway. */
    public static AmqpTunnels to(AmqpGateway gateway) {
        return new TunnelWiring(gateway);
    }
}
