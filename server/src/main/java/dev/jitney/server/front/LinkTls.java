package dev.jitney.server.front;

import dev.jitney.runtime.security.TlsSuites;
import dev.jitney.server.tls.ClusterIdentity;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import javax.net.ssl.SSLException;

/** The settings of TLS between nodes for connections with event loops (CL-70): the certificate of the node on both sides. */
public final class LinkTls {
    private LinkTls() {}

    /** Makes the settings of the node port: a client may have no certificate, but not a wrong one. */
    public static SslContext ofNodePort(ClusterIdentity identity) {
        return made(SslContextBuilder.forServer(identity.keys()).clientAuth(ClientAuth.OPTIONAL), identity);
    }

    /** Makes the settings of connections to node ports. They check the host name. */
    static SslContext ofRelays(ClusterIdentity identity) {
        return made(
                SslContextBuilder.forClient()
                        .keyManager(identity.keys())
                        .endpointIdentificationAlgorithm(ClusterIdentity.CHECK_HOST),
                identity);
    }

    private static SslContext made(SslContextBuilder builder, ClusterIdentity identity) {
        try {
            return builder.trustManager(identity.authority())
                    .sslProvider(SslProvider.JDK)
                    .protocols(ClusterIdentity.VERSIONS)
                    .ciphers(TlsSuites.accepted())
                    .sessionTimeout(ClusterIdentity.SESSION_SECONDS)
                    .build();
        } catch (SSLException e) {
            throw new IllegalStateException("Expected certificates that were checked.", e);
        }
    }
}
