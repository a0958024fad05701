package dev.jitney.gateway.amqp;

import dev.jitney.runtime.security.TlsPolicy;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;

/**
 * The server side of TLS on the ports of clients. Its certificate can be replaced at any time: handshakes that begin later use the new
 * one, and open connections continue. Any thread may call it.
 */
/*
 * The engine must expose the name that a client requested in its handshake, and its certificate. The engine of the JDK and that of
 * OpenSSL both do.
 */
public final class GatewayTls implements Supplier<SslContext> {
    private final TlsPolicy policy;
    private final SslProvider provider;
    private volatile SslContext current;

    /**
     * The certificates of the server.
     *
     * @param key private key of the first certificate
     * @param chain the server's certificate first, then the certificates of its issuers
     * @param clientAuthorities the authorities that sign certificates of clients; empty if clients show none
     */
    public record Certificates(PrivateKey key, List<X509Certificate> chain, List<X509Certificate> clientAuthorities) {
        public Certificates {
            chain = List.copyOf(chain);
            clientAuthorities = List.copyOf(clientAuthorities);
        }

        @Override
        public String toString() {
            return "Certificates"; // without the key, which must not reach a log
        }
    }

    private GatewayTls(TlsPolicy policy, SslProvider provider, SslContext first) {
        this.policy = policy;
        this.provider = provider;
        this.current = first;
    }

    /**
     * Creates the server side of TLS.
     *
     * @throws SSLException if the certificates cannot be used, or the policy requires OpenSSL and it cannot be used; its message is
     *     for the user
     */
    public static GatewayTls of(TlsPolicy policy, Certificates first) throws SSLException {
        SslProvider provider = provider(policy);
        return new GatewayTls(policy, provider, context(policy, provider, first));
    }

    private static SslProvider provider(TlsPolicy policy) throws SSLException {
        String problem = policy.engine() == TlsPolicy.Engine.JDK ? "" : problemOfOpenSsl(policy);
        if (problem.isEmpty()) {
            return policy.engine() == TlsPolicy.Engine.JDK ? SslProvider.JDK : SslProvider.OPENSSL;
        }
        if (policy.engine() == TlsPolicy.Engine.OPENSSL) {
            throw new SSLException(problem);
        }
        return SslProvider.JDK;
    }

    /** Returns why OpenSSL cannot be used, or the empty string if it can. */
    private static String problemOfOpenSsl(TlsPolicy policy) {
        if (!OpenSsl.isAvailable()) {
            return "Expected the native library of OpenSSL (netty-tcnative) for this machine on the class path, but it is missing.";
        }
        return policy.hasAllSuitesOfTls13()
                ? ""
                : "Expected all suites of TLS 1.3, because OpenSSL cannot leave one out, but some are missing.";
    }

    /**
     * Replaces the certificates for later handshakes.
     *
     * @throws SSLException if they cannot be used; then the earlier ones stay in use
     */
    public void replace(Certificates next) throws SSLException {
        current = context(policy, provider, next);
    }

    private static SslContext context(TlsPolicy policy, SslProvider provider, Certificates certificates)
            throws SSLException {
        ClientAuth clients = certificates.clientAuthorities().isEmpty()
                ? ClientAuth.NONE
                : switch (policy.clientAuthentication()) {
                    case OFF -> ClientAuth.NONE;
                    case OPTIONAL -> ClientAuth.OPTIONAL;
                    case REQUIRED -> ClientAuth.REQUIRE;
                };
        SslContextBuilder builder = SslContextBuilder.forServer(certificates.key(), certificates.chain())
                .sslProvider(provider)
                .protocols(policy.versions())
                .ciphers(policy.suites())
                .clientAuth(clients);
        if (clients != ClientAuth.NONE) {
            builder.trustManager(certificates.clientAuthorities().toArray(new X509Certificate[0]));
        }
        return builder.build();
    }

    /** Returns the settings for a handshake that begins now. */
    @Override
    public SslContext get() {
        return current;
    }

    /** Returns the name of the implementation of TLS: {@code jdk} or {@code openssl}. */
    public String engine() {
        return provider == SslProvider.JDK ? "jdk" : "openssl";
    }
}
