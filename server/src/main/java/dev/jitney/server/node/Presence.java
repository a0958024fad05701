package dev.jitney.server.node;

import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.server.tls.ClusterIdentity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the node port of another node that carries nothing after its beginning. The other node keeps it open as long as
 * its process runs. So its orderly end, together with ports that refuse connections, means that the process has ended.
 *
 * <p>For one thread.
 */
final class Presence {
    /** The path of the request. */
    static final String PATH = "/presence";

    /** The value of the header Upgrade. */
    static final String PROTOCOL = "jitney-presence";

    private static final int CONNECT_MS = 2_000;
    private static final int ANSWER_MS = 5_000;
    private static final int LOOK_MS = 100;
    private static final int PORT_MS = 500;
    private static final long PORT_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int HEAD_BYTES_MAX = 1_024;

    private Presence() {}

    /** Waits as specified by {@link dev.jitney.cluster.member.NodeLink#awaitEnd}. */
    static boolean awaitEnd(ClusterMember of, @Nullable ClusterIdentity tls, BooleanSupplier wanted)
            throws IOException {
        try (Socket connected = new Socket()) {
            connected.connect(new InetSocketAddress(host(of), of.nodePort()), CONNECT_MS);
            connected.setKeepAlive(true);
            connected.setSoTimeout(ANSWER_MS);
            Socket socket = tls == null ? connected : secured(connected, of, tls);
            begin(socket, of);
            socket.setSoTimeout(LOOK_MS);
            while (wanted.getAsBoolean()) {
                if (isClosed(socket, of)) {
                    requireRefused(of, of.nodePort());
                    requireRefused(of, of.raftPort());
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * Returns the connection after the handshake of TLS. A process that ends sends no close_notify, and the end of the connection without
     * one counts. It is not proof against someone who can change the network between the nodes; the ports that refuse
     * connections are not, either.
     */
    private static Socket secured(Socket connected, ClusterMember of, ClusterIdentity tls) throws IOException {
        SSLSocket socket =
                (SSLSocket) tls.sockets().getSocketFactory().createSocket(connected, host(of), of.nodePort(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm(ClusterIdentity.CHECK_HOST);
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /** Waits for a moment. Returns whether the other side has closed the connection in an orderly way. */
    private static boolean isClosed(Socket socket, ClusterMember of) throws IOException {
        try {
            if (socket.getInputStream().read() >= 0) {
                throw new IOException("Expected no bytes of node '" + of.name() + "', but got some.");
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false; // the other process runs, as far as is known
        }
    }

    private static void begin(Socket socket, ClusterMember of) throws IOException {
        String request = "GET " + PATH + " HTTP/1.1\r\nHost: " + of.host() + ':' + of.nodePort()
                + "\r\nConnection: Upgrade\r\nUpgrade: " + PROTOCOL + "\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        InputStream in = socket.getInputStream();
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        String text = "";
        while (!text.endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0 || head.size() == HEAD_BYTES_MAX) {
                throw new IOException("Expected an answer of node '" + of.name() + "', but got '" + text + "'.");
            }
            head.write(next);
            text = head.toString(StandardCharsets.US_ASCII);
        }
        if (!text.startsWith("HTTP/1.1 101 ")) {
            throw new IOException("Node '" + of.name() + "' refuses: "
                    + text.lines().findFirst().orElse(""));
        }
    }

    /**
     * Returns when the machine refuses connections to a port. An operating system closes the sockets of a process one after the
     * other, so the port may still listen for a moment.
     *
     * @throws IOException if a process listens there for longer, or the machine does not answer
     */
    private static void requireRefused(ClusterMember of, int port) throws IOException {
        long begun = System.nanoTime();
        do {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(host(of), port), PORT_MS);
            } catch (ConnectException e) {
                return;
            } catch (SocketException e) {
                // The system has closed the port while it accepted the connection: the next attempt shows it.
            }
            LockSupport.parkNanos(PORT_AGAIN_NANOS);
        } while (System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(PORT_MS));
        throw new IOException("Node '" + of.name() + "' has closed a connection, but it listens on port " + port + ".");
    }

    private static String host(ClusterMember of) {
        String host = of.host();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }
}
