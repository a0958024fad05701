package dev.jitney.gateway.http.websocket;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import org.jspecify.annotations.Nullable;

/** The host name a client asked for before AMQP had a say. */
final class ServerName {
    private ServerName() {}

    /** That of the TLS handshake, as on a port that speaks AMQP inside TLS; else that of the request; null for none. */
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
