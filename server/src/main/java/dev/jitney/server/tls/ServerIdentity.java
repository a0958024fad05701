package dev.jitney.server.tls;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLException;

/**
 * A certificate chain and its key.
 *
 * @param key private key of the first certificate
 * @param chain the server's certificate first, then those that vouch for it
 */
public record ServerIdentity(PrivateKey key, List<X509Certificate> chain) {

    public ServerIdentity {
        chain = List.copyOf(chain);
    }

    /**
     * What a Netty listener needs. The engine is the JDK's, so that the server name a client asked for can be read from
     * the session ({@link javax.net.ssl.ExtendedSSLSession#getRequestedServerNames}).
     */
    public SslContext nettyContext() throws TlsException {
        try {
            return SslContextBuilder.forServer(key, chain)
                    .sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3", "TLSv1.2")
                    .build();
        } catch (SSLException e) {
            throw new TlsException("The certificate of " + chain.get(0).getSubjectX500Principal()
                    + " cannot be used for TLS: " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return "ServerIdentity[" + chain.get(0).getSubjectX500Principal() + "]"; // the key never reaches a log
    }
}
