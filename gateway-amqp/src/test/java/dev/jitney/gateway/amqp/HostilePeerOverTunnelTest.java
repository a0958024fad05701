package dev.jitney.gateway.amqp;

import java.io.IOException;

/** {@link HostilePeerTest} over a tunnel instead of a socket of the gateway: every limit applies there too. */
class HostilePeerOverTunnelTest extends HostilePeerTest {

    @Override
    RawPeer peer() throws IOException {
        return new RawPeer(new TunnelSocket(gateway, null));
    }
}
