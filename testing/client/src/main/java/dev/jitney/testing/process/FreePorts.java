package dev.jitney.testing.process;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports on loopback for processes that cannot choose their own, or that end and start again on the same port.
 *
 * <p>All of them are below the ports that operating systems give to outgoing connections (32768 and more on Linux,
 * 49152 and more elsewhere). Otherwise a connection can take the port of a process that is not running, even a client's
 * own attempt to connect to that port, and the process cannot start again.
 */
public final class FreePorts {
    private static final int FIRST = 10_000;
    private static final int END = 32_768;
    private static final int ATTEMPTS = 1_000;

    private FreePorts() {}

    /**
     * Returns different ports that no process listens on.
     *
     * @throws IOException if too few are free
     */
    public static List<Integer> of(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            // All of them are open at once, so that they differ.
            while (sockets.size() < count) {
                sockets.add(open());
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    private static ServerSocket open() throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            try {
                return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
            } catch (BindException taken) {
                // Another port follows.
            }
        }
        throw new IOException("No free port from " + FIRST + " to " + (END - 1) + " in " + ATTEMPTS + " attempts.");
    }
}
