package dev.jitney.server.tls;

import java.net.Socket;
import java.nio.file.Path;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** An authority of a cluster with certificates for tests. */
public final class TestAuthority {
    private static final Duration YEAR = Duration.ofDays(365);

    private final Path directory;
    private final ClusterAuthority authority;

    public TestAuthority(Path directory) throws TlsException {
        this.directory = directory;
        authority = ClusterAuthority.open(directory, YEAR.multipliedBy(2), Instant.now());
    }

    /** Returns the files of a node, which are made if there are none. */
    public ClusterCertificates node(String name, String... hosts) throws TlsException {
        return files(name, List.of(hosts), Instant.now());
    }

    /** Returns files of operators. */
    public ClusterCertificates operator() throws TlsException {
        return files("operator", List.of(), Instant.now());
    }

    /** Replaces the files of a node by a new certificate and a new key. */
    public void renew(String name) throws TlsException {
        authority.renew(name, YEAR, Instant.now());
    }

    /** Returns the files of a node whose certificate has expired. */
    public ClusterCertificates expired(String name, String host) throws TlsException {
        return files(name, List.of(host), Instant.now().minus(YEAR).minus(YEAR));
    }

    private ClusterCertificates files(String name, List<String> hosts, Instant now) throws TlsException {
        if (!authority.has(name)) {
            authority.make(name, hosts, YEAR, now);
        }
        return new ClusterCertificates(
                authority.certificateOf(name), authority.keyOf(name), directory.resolve("ca.pem"));
    }

    /** Returns the settings of a program with a certificate that this machine does not check, such as an expired one. */
    public static SSLContext unchecked(ClusterCertificates files) throws Exception {
        ServerIdentity own = new ServerIdentity(PemFiles.key(files.key()), PemFiles.certificates(files.certificates()));
        return context(new Shown(own));
    }

    /** Returns the key manager of files that are not checked. */
    public static X509ExtendedKeyManager keys(ClusterCertificates files) throws Exception {
        return new Shown(new ServerIdentity(PemFiles.key(files.key()), PemFiles.certificates(files.certificates())));
    }

    /** Returns the settings of a program without a certificate. */
    public static SSLContext stranger() throws Exception {
        return context(null);
    }

    private static SSLContext context(@Nullable KeyManager keys) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys == null ? null : new KeyManager[] {keys}, new TrustManager[] {new Anyone()}, null);
        return context;
    }

    /** Shows one certificate, whatever the other side accepts. */
    private static final class Shown extends X509ExtendedKeyManager {
        private static final String ALIAS = "own";
        private final ServerIdentity own;

        Shown(ServerIdentity own) {
            this.own = own;
        }

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return ALIAS;
        }

        @Override
        public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
            return ALIAS;
        }

        @Override
        public String[] getServerAliases(String type, Principal[] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return ALIAS;
        }

        @Override
        public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
            return ALIAS;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return own.chain().toArray(new X509Certificate[0]);
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return own.key();
        }
    }

    /** Accepts all certificates, as programs do that do not check them. */
    public static final class Anyone extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
