package dev.jitney.fuzz.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;

/** A socket that says what it is told and hears all that comes back. */
public final class HttpClientEnd implements AutoCloseable {
    private final Socket socket;
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private boolean over;

    public HttpClientEnd(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoLinger(true, 0); // thousands of ports would wait for nothing
    }

    /** Sends octets; those a server no longer wants are lost, which is no mistake of it. */
    public HttpClientEnd send(byte[] octets) throws IOException {
        try {
            socket.getOutputStream().write(octets);
        } catch (SocketException closedMeanwhile) {
            over = true;
        }
        return this;
    }

    /** Reads until the server closes or is silent for so long; whether it has closed. */
    public boolean readToEnd(int patienceMs) throws IOException {
        socket.setSoTimeout(patienceMs);
        InputStream in = socket.getInputStream();
        byte[] some = new byte[8_192];
        try {
            for (int count = in.read(some); count >= 0; count = in.read(some)) {
                received.write(some, 0, count);
            }
            over = true;
        } catch (SocketTimeoutException silent) {
            return over;
        } catch (SocketException reset) {
            over = true;
        }
        return over;
    }

    /** Reads until those octets have come; false if the server closed or was silent. */
    public boolean readUntil(String end, int patienceMs) throws IOException {
        socket.setSoTimeout(patienceMs);
        InputStream in = socket.getInputStream();
        try {
            while (!received.toString(java.nio.charset.StandardCharsets.ISO_8859_1)
                    .endsWith(end)) {
                int octet = in.read();
                if (octet < 0) {
                    return false;
                }
                received.write(octet);
            }
            return true;
        } catch (SocketTimeoutException | SocketException silent) {
            return false;
        }
    }

    /** All that has come since the last call. */
    public byte[] take() {
        byte[] out = received.toByteArray();
        received.reset();
        return out;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
