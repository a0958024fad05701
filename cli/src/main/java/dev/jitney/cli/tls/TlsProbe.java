package dev.jitney.cli.tls;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Handshakes with a server, which show its versions, suites and certificates. */
final class TlsProbe {
    private static final int HANDSHAKES_MAX = 32;
    private static final List<String> VERSIONS = List.of("TLSv1.3", "TLSv1.2");

    private final String host;
    private final InetSocketAddress address;
    private final List<X509Certificate> trusted;
    private final int timeoutMs;

    /**
     * The result of the handshakes.
     *
     * @param suites the accepted suites by version, the one that the server prefers first; without versions that it refuses
     * @param weak the versions and suites that clients should not use and that the server accepts
     * @param chain the certificates of the server, its own first; empty if it accepts no version
     * @param nameFits whether the certificate is for the host
     * @param trust null if Java accepts the certificate, otherwise its reason
     * @param clientCertificate whether the server requests a certificate of the client
     */
    record Result(
            Map<String, List<String>> suites,
            List<String> weak,
            List<X509Certificate> chain,
            boolean nameFits,
            @Nullable String trust,
            boolean clientCertificate) {}

    /**
     * @param trusted certificates to trust in addition to those of Java
     * @param timeoutMs time for each step of a connection, in milliseconds
     */
    TlsProbe(String host, InetSocketAddress address, List<X509Certificate> trusted, int timeoutMs) {
        this.trusted = trusted;
        this.host = host;
        this.address = address;
        this.timeoutMs = timeoutMs;
    }

    /**
     * Connects as often as needed.
     *
     * @throws IOException if the server cannot be reached, or does not speak TLS
     */
    Result run() throws IOException {
        Map<String, List<String>> suites = new LinkedHashMap<>();
        Seen seen = new Seen();
        IOException refusal = null;
        for (String version : VERSIONS) {
            List<String> accepted = new ArrayList<>();
            List<String> offered = new ArrayList<>(offered(version));
            while (!offered.isEmpty() && accepted.size() < HANDSHAKES_MAX) {
                seen.suite = null;
                try {
                    handshake(seen, version, offered);
                } catch (SSLException e) {
                    refusal = refusal == null ? e : refusal; // also if the server requires a certificate of the client
                }
                String chosen = seen.suite;
                if (chosen == null || !offered.remove(chosen)) {
                    break;
                }
                accepted.add(chosen);
            }
            if (!accepted.isEmpty()) {
                suites.put(version, accepted);
            }
        }
        List<String> weak = weak();
        if (suites.isEmpty() && weak.isEmpty()) {
            throw new SSLException(refusal == null ? "no answer" : String.valueOf(refusal.getMessage()));
        }
        List<X509Certificate> chain = seen.chain;
        return new Result(
                suites,
                weak,
                chain,
                !chain.isEmpty() && nameFits(chain.get(0)),
                chain.isEmpty() ? null : trust(chain),
                seen.clientCertificate);
    }

    private static List<String> offered(String version) throws IOException {
        boolean newest = version.equals("TLSv1.3");
        return Arrays.stream(context(null).getSupportedSSLParameters().getCipherSuites())
                .filter(suite -> newest == !suite.contains("_WITH_") && !suite.endsWith("SCSV"))
                .toList();
    }

    private void handshake(Seen seen, String version, List<String> offered) throws IOException {
        try (SSLSocket socket = connect(context(seen))) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setProtocols(new String[] {version});
            parameters.setCipherSuites(offered.toArray(new String[0]));
            name(parameters);
            socket.setSSLParameters(parameters);
            socket.startHandshake();
        }
    }

    private void name(SSLParameters parameters) {
        if (host.chars().anyMatch(Character::isLetter) && host.indexOf(':') < 0) {
            parameters.setServerNames(List.of(new SNIHostName(host)));
        }
    }

    private SSLSocket connect(SSLContext context) throws IOException {
        Socket plain = new Socket();
        try {
            plain.connect(address, timeoutMs);
            plain.setSoTimeout(timeoutMs);
            return (SSLSocket) context.getSocketFactory().createSocket(plain, host, address.getPort(), true);
        } catch (IOException | RuntimeException e) {
            plain.close();
            throw e;
        }
    }

    private List<String> weak() throws IOException {
        List<String> found = new ArrayList<>();
        Map<Integer, String> versions = new LinkedHashMap<>();
        versions.put(OldHello.TLS_1_0, "TLSv1");
        versions.put(OldHello.TLS_1_1, "TLSv1.1");
        versions.put(OldHello.TLS_1_2, "TLSv1.2");
        for (Map.Entry<Integer, String> version : versions.entrySet()) {
            String suite = OldHello.accepted(address, host, version.getKey(), timeoutMs);
            if (suite != null) {
                found.add(version.getValue() + " with " + suite);
            }
        }
        return found;
    }

    /** Accepts only the certificate itself, so that nothing but the name is checked. */
    private boolean nameFits(X509Certificate own) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setCertificateEntry("own", own);
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, factory.getTrustManagers(), null);
            try (SSLSocket socket = connect(context)) {
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                name(parameters);
                socket.setSSLParameters(parameters);
                socket.startHandshake();
                return true;
            } catch (SSLException e) {
                return !(e.getCause() instanceof CertificateException);
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private @Nullable String trust(List<X509Certificate> chain) throws IOException {
        try {
            check(chain, null);
            return null;
        } catch (CertificateException notOfJava) {
            if (trusted.isEmpty()) {
                return oneLine(notOfJava);
            }
        }
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (int i = 0; i < trusted.size(); i++) {
                store.setCertificateEntry("given-" + i, trusted.get(i));
            }
            check(chain, store);
            return null;
        } catch (CertificateException e) {
            return oneLine(e);
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static String oneLine(CertificateException e) {
        return String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " ");
    }

    private static void check(List<X509Certificate> chain, @Nullable KeyStore store)
            throws CertificateException, IOException {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            for (TrustManager manager : factory.getTrustManagers()) {
                if (manager instanceof X509TrustManager usual) {
                    usual.checkServerTrusted(chain.toArray(new X509Certificate[0]), "UNKNOWN");
                }
            }
        } catch (CertificateException e) {
            throw e;
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static SSLContext context(@Nullable Seen seen) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    seen == null ? null : new KeyManager[] {new NoCertificate(seen)},
                    seen == null ? null : new TrustManager[] {seen},
                    null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /** Has no certificate, and notes that the server requests one. */
    private static final class NoCertificate extends X509ExtendedKeyManager {
        private final Seen seen;

        NoCertificate(Seen seen) {
            this.seen = seen;
        }

        @Override
        public @Nullable String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            seen.clientCertificate = true;
            return null;
        }

        @Override
        public String @Nullable [] getClientAliases(String type, Principal[] issuers) {
            return null;
        }

        @Override
        public String @Nullable [] getServerAliases(String type, Principal[] issuers) {
            return null;
        }

        @Override
        public @Nullable String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return null;
        }

        @Override
        public X509Certificate @Nullable [] getCertificateChain(String alias) {
            return null;
        }

        @Override
        public @Nullable PrivateKey getPrivateKey(String alias) {
            return null;
        }
    }

    /** Accepts and notes all certificates. No data is sent over these connections. */
    private static final class Seen extends X509ExtendedTrustManager {
        private List<X509Certificate> chain = List.of();
        private @Nullable String suite;
        private boolean clientCertificate;

        @Override
        public void checkServerTrusted(X509Certificate[] shown, String type, Socket socket) {
            chain = List.of(shown);
            SSLSession session = ((SSLSocket) socket).getHandshakeSession();
            suite = session == null ? null : session.getCipherSuite();
        }

        @Override
        public void checkServerTrusted(X509Certificate[] shown, String type, SSLEngine engine) {
            chain = List.of(shown);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] shown, String type) {
            chain = List.of(shown);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] shown, String type, Socket socket)
                throws CertificateException {
            throw new CertificateException("Expected a client.");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] shown, String type, SSLEngine engine)
                throws CertificateException {
            throw new CertificateException("Expected a client.");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] shown, String type) throws CertificateException {
            throw new CertificateException("Expected a client.");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
