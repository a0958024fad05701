package dev.jitney.crash.cluster;

import dev.jitney.testing.process.NodeProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A TCP balancer over the client ports of all nodes, like the one that operators put in front of a cluster. It gives new
 * connections in turn to the nodes whose {@code /health} answers 200 (CL-80), and closes the connections of a node when it no
 * longer does (CL-28). Thread-safe.
 */
final class Balancer implements AutoCloseable {
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int CONNECT_TIMEOUT_MS = 1_000;
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int BACKLOG = 256;

    private final List<NodeProcess> nodes;
    private final Runnable connected;
    private final ServerSocket listener;
    private final Set<NodeProcess> healthy = ConcurrentHashMap.newKeySet();
    private final Map<Link, NodeProcess> links = new ConcurrentHashMap<>();
    private volatile boolean closed;
    private volatile int accepted;
    private int turn;

    /** The two sockets of one connection, and the bytes that it has carried. */
    private record Link(Socket client, Socket node, Flow toNode, Flow toClient) {
        Link(Socket client, Socket node) {
            this(client, node, new Flow(), new Flow());
        }

        void close() {
            shut(client);
            shut(node);
        }
    }

    /**
     * Starts to listen on a free port.
     *
     * @param connected called for each new connection before it carries a byte, on one thread
     */
    Balancer(List<NodeProcess> nodes, Runnable connected) throws IOException {
        this.nodes = List.copyOf(nodes);
        this.connected = connected;
        this.listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        nodes.forEach(node -> daemon("balancer-check-" + node.name(), () -> check(node)));
        daemon("balancer", this::accept);
    }

    /** The bytes in one direction. One thread writes it. */
    private static final class Flow {
        private volatile long bytes;
        private volatile long lastNanos = System.nanoTime();

        @SuppressWarnings("NonAtomicOperationOnVolatileField") // written by one thread only
        void carried(int count) {
            bytes += count;
            lastNanos = System.nanoTime();
        }

        @Override
        public String toString() {
            return "%,d bytes, the last ones %.1f s ago".formatted(bytes, (System.nanoTime() - lastNanos) / 1e9);
        }
    }

    /** Returns the open connections with the bytes that they have carried. A client or a node that is stuck is silent. */
    String flows() {
        return links.entrySet().stream()
                .map(link -> "  port %d to node %s: %s; from it: %s"
                        .formatted(
                                link.getKey().client.getPort(),
                                link.getValue().name(),
                                link.getKey().toNode,
                                link.getKey().toClient))
                .collect(Collectors.joining("\n"));
    }

    /** Returns the number of connections so far, and of open ones for each node. */
    String report() {
        StringBuilder text = new StringBuilder("%d connections so far; open:".formatted(accepted));
        for (NodeProcess node : nodes) {
            long open = links.values().stream().filter(to -> to == node).count();
            text.append(" %s %d%s".formatted(node.name(), open, healthy.contains(node) ? "" : " (not healthy)"));
        }
        return text.toString();
    }

    int port() {
        return listener.getLocalPort();
    }

    private void check(NodeProcess node) {
        while (!closed) {
            if (node.isServing()) {
                healthy.add(node);
            } else {
                healthy.remove(node);
                drop(node);
            }
            LockSupport.parkNanos(CHECK_NANOS);
        }
    }

    private void drop(NodeProcess node) {
        links.forEach((link, to) -> {
            if (to == node) {
                link.close();
            }
        });
    }

    private void accept() {
        while (!closed) {
            Socket client;
            try {
                client = listener.accept();
            } catch (IOException e) {
                return;
            }
            NodeProcess node = next();
            if (node == null || !connect(client, node)) {
                shut(client);
            }
        }
    }

    private @Nullable NodeProcess next() {
        for (int i = 0; i < nodes.size(); i++) {
            NodeProcess node = nodes.get(turn++ % nodes.size());
            if (healthy.contains(node)) {
                return node;
            }
        }
        return null;
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField") // written by one thread only
    private boolean connect(Socket client, NodeProcess node) {
        Socket server = new Socket();
        try {
            server.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), node.clientPort()), CONNECT_TIMEOUT_MS);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
        } catch (IOException e) {
            shut(server);
            return false;
        }
        accepted++;
        connected.run();
        Link link = new Link(client, server);
        links.put(link, node);
        daemon("balancer-in", () -> pump(link, client, server, link.toNode));
        daemon("balancer-out", () -> pump(link, server, client, link.toClient));
        return true;
    }

    private void pump(Link link, Socket from, Socket to, Flow flow) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
                flow.carried(read);
            }
        } catch (IOException e) {
            // One side has closed the connection, so the other side gets the same.
        } finally {
            link.close();
            links.remove(link);
        }
    }

    private static void shut(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed already.
        }
    }

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        listener.close();
        links.keySet().forEach(Link::close);
    }
}
