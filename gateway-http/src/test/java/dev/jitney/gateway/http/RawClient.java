package dev.jitney.gateway.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A socket for requests that no client library would send. */
public final class RawClient implements AutoCloseable {
    private final Socket socket;

    public RawClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(30_000);
        socket.setTcpNoDelay(true);
    }

    public RawClient send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        return this;
    }

    /** Returns one response: its head and its body of the given length, or the bytes before the connection ended. */
    public String answer() throws IOException {
        StringBuilder text = new StringBuilder();
        InputStream in = socket.getInputStream();
        int bodyFrom = -1;
        int length = 0;
        for (int c = in.read(); c >= 0; c = in.read()) {
            text.append((char) c);
            if (bodyFrom < 0
                    && text.length() > 3
                    && text.substring(text.length() - 4).equals("\r\n\r\n")) {
                bodyFrom = text.length();
                length = contentLength(text.toString());
            }
            if (bodyFrom >= 0 && text.length() >= bodyFrom + length) {
                break;
            }
        }
        return text.toString();
    }

    private static int contentLength(String head) {
        for (String line : head.split("\r\n")) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                return Integer.parseInt(line.substring(15).strip());
            }
        }
        return 0;
    }

    /** Returns whether the peer ends the connection, possibly after more bytes. */
    public boolean isClosedByPeer() throws IOException {
        InputStream in = socket.getInputStream();
        try {
            while (in.read() >= 0) {
                continue;
            }
            return true;
        } catch (java.net.SocketTimeoutException stillOpen) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    /** Resets the connection. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
