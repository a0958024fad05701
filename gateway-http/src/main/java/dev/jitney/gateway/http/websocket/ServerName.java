package dev.jitney.gateway.http.websocket;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import org.jspecify.annotations.Nullable;

/** The host name that a client requested before AMQP began. */
final class ServerName {
    private ServerName() {}

    /**
     * Returns the host name of the TLS handshake, as on a port for AMQP over TLS; otherwise that of the request, or
     * null.
     */
    static @Nullable String of(HttpServerRequest request) {
        if (request.sslSession() instanceof ExtendedSSLSession session) {
            for (SNIServerName name : session.getRequestedServerNames()) {
                if (name instanceof SNIHostName host) {
                    return host.getAsciiName();
                }
            }
        }
        HostAndPort authority = request.authority();
        return authority == null || authority.host().isEmpty() ? null : authority.host();
    }
}
