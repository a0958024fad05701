package dev.jitney.gateway.http;

import dev.jitney.gateway.http.exchange.HttpLimits;
import dev.jitney.gateway.http.websocket.AmqpTunnels;
import dev.jitney.runtime.Broker;
import dev.jitney.server.identity.FuzzedIdentities;
import java.io.IOException;

/** The real HTTP gateway, except for its time limits: a receive does not wait. */
public final class FuzzedHttp {
    private static final HttpLimits NO_WAITING = new HttpLimits(1_000, 32, 10, 60, 60, 1 << 20, 64 << 20, 10, 0);

    private FuzzedHttp() {}

    /** Starts the gateway on any free port of this machine. */
    public static HttpGateway start(Broker broker, AmqpTunnels tunnels) throws IOException {
        return HttpGateway.start(
                new HttpGatewayOptions("127.0.0.1", 0, null, null).withAdmission(FuzzedIdentities.admission()),
                broker,
                () -> null,
                tunnels,
                NO_WAITING);
    }
}
