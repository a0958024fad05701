package dev.jitney.cli.connection;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;

/**
 * Where entities are managed when only the connection string is known. A port of Jitney serves HTTP beside AMQP, so the
 * port for messages is asked first; one that speaks AMQP alone, as the Microsoft emulator's, answers otherwise.
 */
final class AdminAddress {
    private static final int LOCAL_PORT = 5300;
    private static final int PATIENCE_MILLIS = 2_000;
    private static final String REQUEST = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    private static final String ANSWER = "HTTP/1.";

    private AdminAddress() {}

    /** Connects to the port for messages, unless the address leaves both host and port to the cloud. Blocks. */
    static URI of(NamespaceAddress address) {
        boolean tls = !address.emulator();
        String scheme = tls ? "https://" : "http://";
        if ((address.emulator() || address.port() != null) && speaksHttp(address.host(), address.amqpPort(), tls)) {
            return URI.create(scheme + address.host() + ":" + address.amqpPort());
        }
        return URI.create(scheme + address.host() + (tls ? "" : ":" + LOCAL_PORT));
    }

    private static boolean speaksHttp(String host, int port, boolean tls) {
        try (Socket plain = new Socket()) {
            plain.connect(new InetSocketAddress(host, port), PATIENCE_MILLIS);
            plain.setSoTimeout(PATIENCE_MILLIS);
            Socket socket =
                    tls ? SSLContext.getDefault().getSocketFactory().createSocket(plain, host, port, true) : plain;
            socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readNBytes(ANSWER.length());
            return new String(answer, StandardCharsets.ISO_8859_1).equals(ANSWER);
        } catch (IOException e) {
            return false; // whoever asks for entities is told why, at the other port
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("TLS is a part of every Java", e);
        }
    }
}
