package dev.jitney.server.tls;

import dev.jitney.gateway.amqp.GatewayTls;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.security.CertificateRules;
import dev.jitney.server.config.CertificateRulesReader;
import dev.jitney.server.config.ConfigException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * TLS on the ports of clients, for the life of a process: certificate, key, authorities and rules of clients follow their files. Any
 * thread may call it.
 */
public final class PortTls {
    private final Watched<ServerIdentity> identity;
    private final @Nullable Watched<List<X509Certificate>> clientAuthorities;
    private final GatewayTls gateway;

    private PortTls(
            Watched<ServerIdentity> identity,
            @Nullable Watched<List<X509Certificate>> clientAuthorities,
            GatewayTls gateway) {
        this.identity = identity;
        this.clientAuthorities = clientAuthorities;
        this.gateway = gateway;
    }

    /**
     * Reads the files, and begins to watch them.
     *
     * @param dataDir the data directory, or null if everything is in memory
     * @param namespaces names of the namespaces
     * @param rules gets the rules of clients
     * @throws TlsException if the files cannot be used; the message names the option
     */
    public static PortTls open(
            Tls tls,
            TlsSettings settings,
            @Nullable Path dataDir,
            List<String> namespaces,
            CertificateRules rules,
            CertificateWatch watch,
            Clock clock)
            throws TlsException {
        long nowMs = clock.nowMs();
        ServerIdentity first = read("--tls " + tls, () -> tls.identity(dataDir, namespaces, nowMs));
        Path authorityFile = settings.clientAuthorities();
        List<X509Certificate> authorities =
                authorityFile == null ? List.of() : read("--tls-client-ca", () -> PemFiles.certificates(authorityFile));
        GatewayTls gateway;
        try {
            gateway = GatewayTls.of(
                    settings.policy(), new GatewayTls.Certificates(first.key(), first.chain(), authorities));
        } catch (SSLException e) {
            throw new TlsException(
                    "--tls " + tls + ": Expected a certificate and settings for TLS that can be used, but they cannot: "
                            + e.getMessage(),
                    e);
        }
        Current current = new Current(gateway, first, authorities);
        Watched<ServerIdentity> identity = new Watched<>(
                "--tls " + tls,
                tls.files(dataDir),
                readAtMs -> tls.identity(dataDir, namespaces, readAtMs),
                current::identity,
                first,
                nowMs);
        Watched<List<X509Certificate>> trusted = authorityFile == null
                ? null
                : new Watched<>(
                        "--tls-client-ca " + authorityFile,
                        List.of(authorityFile),
                        readAtMs -> PemFiles.certificates(authorityFile),
                        current::authorities,
                        authorities,
                        nowMs);
        watch.add(identity);
        if (trusted != null) {
            watch.add(trusted);
        }
        watch.addEnding(atMs -> CertificateExpiry.ending(identity.current().chain(), atMs));
        watchRules(settings.clientRules(), rules, watch, nowMs);
        return new PortTls(identity, trusted, gateway);
    }

    private static void watchRules(@Nullable Path file, CertificateRules rules, CertificateWatch watch, long nowMs)
            throws TlsException {
        if (file == null) {
            return;
        }
        List<CertificateRules.Entry> first = read("--tls-client-rules", () -> entries(file));
        rules.replace(first);
        watch.add(new Watched<>(
                "--tls-client-rules " + file, List.of(file), readAtMs -> entries(file), rules::replace, first, nowMs));
    }

    private static List<CertificateRules.Entry> entries(Path file) throws TlsException {
        try {
            return CertificateRulesReader.read(file);
        } catch (ConfigException e) {
            throw new TlsException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Files that are read at a start. */
    private interface Source<T> {
        T read() throws TlsException;
    }

    private static <T> T read(String option, Source<T> source) throws TlsException {
        try {
            return source.read();
        } catch (TlsException e) {
            throw new TlsException(option + ": " + e.getMessage(), e);
        }
    }

    /** The certificates in use, of which one part at a time is replaced. */
    private static final class Current {
        private final GatewayTls gateway;
        private ServerIdentity identity;
        private List<X509Certificate> authorities;

        Current(GatewayTls gateway, ServerIdentity identity, List<X509Certificate> authorities) {
            this.gateway = gateway;
            this.identity = identity;
            this.authorities = authorities;
        }

        synchronized void identity(ServerIdentity next) throws TlsException {
            use(next, authorities);
        }

        synchronized void authorities(List<X509Certificate> next) throws TlsException {
            use(identity, next);
        }

        private void use(ServerIdentity own, List<X509Certificate> trusted) throws TlsException {
            try {
                gateway.replace(new GatewayTls.Certificates(own.key(), own.chain(), trusted));
            } catch (SSLException e) {
                throw new TlsException("The certificates cannot be used: " + e.getMessage(), e);
            }
            identity = own;
            authorities = trusted;
        }
    }

    /** Returns the settings for connections, which follow the files. */
    public GatewayTls gateway() {
        return gateway;
    }

    /** Returns when the certificate in use, or one of its issuers, expires, in milliseconds since the epoch. */
    public long expiresAtMs() {
        return CertificateExpiry.of(identity.current().chain()).toEpochMilli();
    }

    /** Returns the number of authorities that sign certificates of clients. */
    public int clientAuthorities() {
        Watched<List<X509Certificate>> trusted = clientAuthorities;
        return trusted == null ? 0 : trusted.current().size();
    }
}
