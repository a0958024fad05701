package dev.jitney.gateway.amqp;

import java.io.IOException;

/** {@link AmqpDeliveryWireTest} with octets that do not come from a socket of the gateway's: every limit holds for them, too. */
class AmqpDeliveryWireOverTunnelTest extends AmqpDeliveryWireTest {

    @Override
    RawPeer peer() throws IOException {
        return new RawPeer(new TunnelSocket(gateway, null));
    }
}
