package dev.jitney.conformance.paired;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A TCP relay to a broker that can be made one-way: it holds back data from clients, and still forwards data from the
 * broker.
 */
final class Relay implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 * 1024;

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final int target;
    private volatile boolean heldBack;

    /** @param target the port of the broker */
    Relay(int target) throws IOException {
        this.target = target;
        start("relay", this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** Holds back all data from clients from now on. */
    void holdBack() {
        heldBack = true;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                Socket broker = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(client);
                sockets.add(broker);
                start("relay-up", () -> copy(client, broker, true));
                start("relay-down", () -> copy(broker, client, false));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void copy(Socket from, Socket to, boolean up) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (!up || !heldBack) {
                    out.write(buffer, 0, n);
                }
            }
        } catch (IOException closed) {
            // One side is closed, so the other one is closed, too.
        }
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
