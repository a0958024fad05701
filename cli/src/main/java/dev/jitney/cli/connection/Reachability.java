package dev.jitney.cli.connection;

import dev.jitney.cli.output.Failure;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * Checks that a port accepts connections before the SDK connects. The SDK would retry for most of a minute and report less.
 */
final class Reachability {
    private static final int CONNECT_MILLIS = 10_000;

    private Reachability() {}

    /**
     * @param url the URL in messages, for example {@code http://localhost:5300}
     * @param hint advice for a server that does not answer
     */
    static void check(String url, String host, int port, boolean tls, String hint) {
        try (Socket socket = new Socket()) {
            InetSocketAddress address = new InetSocketAddress(host, port);
            if (address.isUnresolved()) {
                throw new UnknownHostException(host);
            }
            socket.connect(address, CONNECT_MILLIS);
            if (tls) {
                handshake(socket, host, port);
            }
        } catch (UnknownHostException e) {
            throw unreachable(url, "the host name is unknown", "Check the Endpoint of the connection string.", e);
        } catch (SSLException e) {
            throw unreachable(
                    url,
                    "the TLS handshake failed: " + e.getMessage(),
                    "If the server has its own certificate, pass its D/tls/ca.pem with --ca. For a port without TLS,"
                            + " add UseDevelopmentEmulator=true to the connection string, or use http:// in"
                            + " --admin-url.",
                    e);
        } catch (ConnectException e) {
            throw unreachable(url, "connection refused", hint, e);
        } catch (SocketTimeoutException e) {
            throw unreachable(url, "no answer within " + CONNECT_MILLIS / 1000 + " s", hint, e);
        } catch (IOException e) {
            throw unreachable(url, String.valueOf(e.getMessage()), hint, e);
        }
    }

    private static void handshake(Socket socket, String host, int port) throws IOException {
        try {
            SSLSocket secured =
                    (SSLSocket) SSLContext.getDefault().getSocketFactory().createSocket(socket, host, port, true);
            SSLParameters parameters = secured.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secured.setSSLParameters(parameters);
            secured.setSoTimeout(CONNECT_MILLIS);
            secured.startHandshake();
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new SSLException(e);
        }
    }

    private static Failure unreachable(String url, String why, String hint, Exception cause) {
        return new Failure(Failure.FAULT, "Cannot reach " + url + ": " + why + ". " + hint, cause);
    }
}
