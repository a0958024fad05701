package dev.jitney.cli.connection;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;

/**
 * The address for entity management when only the connection string is known. A Jitney port serves HTTP and AMQP, so the
 * messaging port is tried first. If it speaks AMQP only, as the Microsoft emulator does, the default port is used.
 */
final class AdminAddress {
    private static final int LOCAL_PORT = 5300;
    private static final int CONNECT_MILLIS = 2_000;
    /** A server that starts, or a cluster that elects a leader, accepts connections before it answers. */
    private static final int ANSWER_MILLIS = 15_000;

    private static final String REQUEST = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    private static final String ANSWER = "HTTP/1.";

    private AdminAddress() {}

    /** Finds the address. Connects to the messaging port unless the address uses the host and port of the cloud. Blocks. */
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
            plain.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
            plain.setSoTimeout(ANSWER_MILLIS);
            Socket socket =
                    tls ? SSLContext.getDefault().getSocketFactory().createSocket(plain, host, port, true) : plain;
            socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readNBytes(ANSWER.length());
            return new String(answer, StandardCharsets.ISO_8859_1).equals(ANSWER);
        } catch (IOException e) {
            return false; // the request for entities fails on the other port with the reason
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("TLS is a part of every Java", e);
        }
    }
}
