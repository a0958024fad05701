package dev.jitney.distribution;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * A process that sends probes from the network of the machine, as Kubernetes does. It reads one URL a line, and prints the status
 * of the answer and its text as one line, or 0 and the reason if there is none. As Kubernetes, it accepts every certificate.
 */
final class Kubelet {
    private static final int TIMEOUT_MS = 5_000;

    private Kubelet() {}

    /** Answers until standard input ends. */
    public static void main(String[] arguments) throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new EveryCertificate()}, new SecureRandom());
        HttpsURLConnection.setDefaultSSLSocketFactory(context.getSocketFactory());
        HttpsURLConnection.setDefaultHostnameVerifier((host, session) -> true);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String url = in.readLine(); url != null; url = in.readLine()) {
            System.out.println(get(url).replace('\n', '\t'));
            System.out.flush();
        }
    }

    private static String get(String url) {
        try {
            URLConnection connection = URI.create(url).toURL().openConnection();
            connection.setConnectTimeout(TIMEOUT_MS);
            connection.setReadTimeout(TIMEOUT_MS);
            connection.setRequestProperty("Connection", "close");
            HttpURLConnection http = (HttpURLConnection) connection;
            int status = http.getResponseCode();
            try (InputStream body = status < 400 ? http.getInputStream() : http.getErrorStream()) {
                return status + " " + (body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            return "0 " + e.getMessage();
        }
    }

    private static final class EveryCertificate implements X509TrustManager {
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
