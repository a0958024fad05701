package dev.jitney.server.cli.cluster;

import dev.jitney.server.cli.cluster.NodePorts.NodeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The three nodes of the demonstration, on free ports of this machine, in a temporary directory. They end at the latest with
 * this process. Used by one thread.
 */
final class TryNodes implements AutoCloseable {
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final int PORTS_EACH = 3;
    private static final int TIMEOUT_MS = 2_000;
    private static final long POLL_MS = 100;

    private final Path directory;
    private final boolean keeps;
    private final List<TryNode> nodes = new ArrayList<>();
    private final String members;
    private final Thread shutdownHook = new Thread(this::end, "try-end");

    private TryNodes(Path directory, boolean keeps) throws IOException {
        this.directory = directory;
        this.keeps = keeps;
        List<Integer> ports = freePorts(NAMES.size() * PORTS_EACH);
        for (int i = 0; i < NAMES.size(); i++) {
            String name = NAMES.get(i);
            int first = i * PORTS_EACH;
            nodes.add(new TryNode(
                    name, directory.resolve(name), ports.get(first), ports.get(first + 1), ports.get(first + 2)));
        }
        members = nodes.stream().map(TryNode::member).collect(Collectors.joining(","));
    }

    /** Prepares three nodes in a new temporary directory. */
    static TryNodes create(boolean keeps) throws IOException {
        TryNodes nodes = new TryNodes(Files.createTempDirectory("jitney-try-"), keeps);
        Runtime.getRuntime().addShutdownHook(nodes.shutdownHook);
        return nodes;
    }

    /** Returns ports that no process listens on. All of them are open at once, so that they differ. */
    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    List<TryNode> all() {
        return nodes;
    }

    Path directory() {
        return directory;
    }

    /** Returns the value of {@code --cluster-nodes}. */
    String members() {
        return members;
    }

    TryNode node(String name) {
        return nodes.stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Expected the name of a node, but got " + name + "."));
    }

    /** Returns the state of the cluster from the nodes that run, or null if none of them answers. */
    @Nullable
    ClusterState state() {
        List<NodeAddress> ports =
                nodes.stream().filter(TryNode::isAlive).map(TryNode::nodePort).toList();
        try {
            return ports.isEmpty() ? null : new NodePorts(ports, TIMEOUT_MS).state();
        } catch (NodeException e) {
            return null;
        }
    }

    /**
     * Waits until every node serves clients and all are in sync.
     *
     * @return the state, or null if the time is over
     * @throws IOException if a process has ended
     */
    @Nullable
    ClusterState awaitWhole(long seconds) throws IOException, InterruptedException {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < endNanos) {
            for (TryNode node : nodes) {
                if (!node.isAlive()) {
                    throw new IOException("Node " + node.name() + " has ended. The end of its log " + node.log() + ":\n"
                            + node.lastLines());
                }
            }
            if (nodes.stream().allMatch(node -> NodePorts.isServing(node.nodePort(), TIMEOUT_MS))) {
                ClusterState state = state();
                if (state != null && state.isWhole()) {
                    return state;
                }
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        return null;
    }

    /** Stops all nodes, and deletes the directory unless it is kept. */
    @Override
    public void close() throws InterruptedException {
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException shuttingDown) {
            return; // the hook does the same
        }
        if (keeps) {
            nodes.forEach(TryNode::stop);
            for (TryNode node : nodes) {
                node.awaitEnd();
            }
        }
        end();
    }

    private void end() {
        nodes.forEach(TryNode::end);
        try {
            for (TryNode node : nodes) {
                node.kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!keeps) {
            delete();
        }
    }

    private void delete() {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            // A file that is still open on Windows; it is in the folder for temporary files.
        }
    }
}
