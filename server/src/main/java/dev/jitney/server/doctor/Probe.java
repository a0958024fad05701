package dev.jitney.server.doctor;

import dev.jitney.runtime.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * One request for the health of a server. It accepts any certificate, because it sends no secrets and returns the certificate for
 * inspection.
 */
public final class Probe {
    private static final int TIMEOUT_MS = 5_000;
    private static final int BODY_BYTES_MAX = 2_000;

    private Probe() {}

    /**
     * The answer of a server.
     *
     * @param dateMs the time of the server in the header Date, or 0 if it is missing
     * @param sentMs the time of this machine before the request
     * @param receivedMs the time of this machine after the answer
     * @param certificates the certificates of the server, its own first; empty without TLS
     */
    public record Answer(
            int status, String body, long dateMs, long sentMs, long receivedMs, List<X509Certificate> certificates) {}

    /** Requests {@code /health} below a URL. */
    public static Answer health(URI url) throws IOException {
        boolean plain = url.getPath().isEmpty() || url.getPath().equals("/");
        HttpURLConnection connection = (HttpURLConnection)
                (plain ? url.resolve("/health") : url).toURL().openConnection(Proxy.NO_PROXY);
        connection.setConnectTimeout(TIMEOUT_MS);
        connection.setReadTimeout(TIMEOUT_MS);
        connection.setInstanceFollowRedirects(false);
        if (connection instanceof HttpsURLConnection secure) {
            acceptAny(secure);
        }
        long sent = Clock.system().nowMs();
        int status = connection.getResponseCode();
        long received = Clock.system().nowMs();
        String body = text(
                status < HttpURLConnection.HTTP_BAD_REQUEST
                        ? connection.getInputStream()
                        : connection.getErrorStream());
        return new Answer(status, body, connection.getDate(), sent, received, certificates(connection));
    }

    private static List<X509Certificate> certificates(HttpURLConnection connection) throws IOException {
        List<X509Certificate> all = new ArrayList<>();
        if (connection instanceof HttpsURLConnection secure) {
            for (Certificate each : secure.getServerCertificates()) {
                if (each instanceof X509Certificate certificate) {
                    all.add(certificate);
                }
            }
        }
        return all;
    }

    private static String text(@Nullable InputStream stream) throws IOException {
        try (InputStream body = stream) {
            return body == null ? "" : new String(body.readNBytes(BODY_BYTES_MAX), StandardCharsets.UTF_8);
        }
    }

    private static void acceptAny(HttpsURLConnection connection) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new AnyTrust()}, null);
            connection.setSSLSocketFactory(context.getSocketFactory());
            connection.setHostnameVerifier((host, session) -> true);
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS is not available: " + e.getMessage(), e);
        }
    }

    /** Accepts every certificate. An extended manager, so that the JDK adds no check of names. */
    private static final class AnyTrust extends X509ExtendedTrustManager {
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
