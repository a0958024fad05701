package dev.jitney.server.front;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A node port that answers every request with a fixed text, and leaves the rest of the connection to the test. */
final class FakeLeader implements AutoCloseable {
    static final String ACCEPTS =
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: jitney-relay\r\n\r\n";
    static final String REFUSES = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";

    private final ServerSocket listener;
    private final BlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    private volatile String answer;

    FakeLeader(String answer) throws IOException {
        this.answer = answer;
        listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread acceptor = new Thread(this::accept, "fake-leader");
        acceptor.setDaemon(true);
        acceptor.start();
    }

    InetSocketAddress address() {
        return new InetSocketAddress("127.0.0.1", listener.getLocalPort());
    }

    void answer(String value) {
        answer = value;
    }

    /** Returns the next connection whose request was answered. */
    Socket next() throws InterruptedException {
        Socket socket = accepted.poll(20, TimeUnit.SECONDS);
        if (socket == null) {
            throw new AssertionError("Expected a connection, but none was passed on.");
        }
        return socket;
    }

    /** Returns the number of requests so far. */
    int requests() {
        return requests.size();
    }

    String firstRequest() {
        return requests.element();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                socket.setSoTimeout(20_000);
                socket.setTcpNoDelay(true);
                requests.add(head(socket.getInputStream()));
                String text = answer;
                if (!text.isEmpty()) {
                    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
                    accepted.add(socket);
                }
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0) {
                break;
            }
            head.append((char) b);
        }
        return head.toString();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : accepted) {
            socket.close();
        }
    }
}
