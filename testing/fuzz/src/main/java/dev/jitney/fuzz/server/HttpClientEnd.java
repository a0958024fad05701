package dev.jitney.fuzz.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.function.Predicate;

/** A socket that sends given bytes and keeps all bytes of the answer. */
public final class HttpClientEnd implements AutoCloseable {
    private final Socket socket;
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final byte[] some = new byte[8_192];
    private boolean over;

    public HttpClientEnd(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoLinger(true, 0); // otherwise thousands of ports would wait in TIME_WAIT
    }

    /** Sends bytes. Bytes after the server's close are lost, which is no error of the server. */
    public HttpClientEnd send(byte[] octets) throws IOException {
        try {
            socket.getOutputStream().write(octets);
        } catch (SocketException closedMeanwhile) {
            over = true;
        }
        return this;
    }

    /**
     * Closes the output, and reads until the server closes or is silent for the given time; returns whether it has
     * closed.
     */
    public boolean finish(int patienceMs) throws IOException {
        try {
            socket.shutdownOutput();
        } catch (SocketException closedMeanwhile) {
            over = true;
        }
        return readToEnd(patienceMs);
    }

    /** Reads until the server closes or is silent for the given time; returns whether it has closed. */
    public boolean readToEnd(int patienceMs) throws IOException {
        readUntil(octets -> false, patienceMs);
        return over;
    }

    /**
     * Reads until the bytes since the last {@link #take} are enough. Returns false if the server closed or was silent
     * before.
     */
    public boolean readUntil(Predicate<byte[]> enough, int patienceMs) throws IOException {
        socket.setSoTimeout(patienceMs);
        InputStream in = socket.getInputStream();
        try {
            while (!enough.test(received.toByteArray())) {
                int count = in.read(some);
                if (count < 0) {
                    over = true;
                    return false;
                }
                received.write(some, 0, count);
            }
            return true;
        } catch (SocketTimeoutException silent) {
            return false;
        } catch (SocketException reset) {
            over = true;
            return false;
        }
    }

    /** Returns the bytes received since the last call. */
    public byte[] take() {
        byte[] out = received.toByteArray();
        received.reset();
        return out;
    }

    public boolean isClosed() {
        return over;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
