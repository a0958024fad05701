package dev.jitney.benchmarks.cluster;

import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.process.ClusterProcesses;
import dev.jitney.testing.process.ClusterView;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.NodeProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A cluster of Jitney. */
public final class JitneyCluster implements ReplicatedBroker {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final ClusterProcesses processes;
    private final List<BrokerNode> nodes;

    private JitneyCluster(ClusterProcesses processes) {
        this.processes = processes;
        this.nodes = processes.nodes().stream()
                .<BrokerNode>map(process -> new Node(processes, process))
                .toList();
    }

    /**
     * Starts a cluster and waits until all nodes are in sync.
     *
     * @param directory an existing empty directory
     * @param size the number of nodes, 1 to 5
     * @param queues made by the methods of {@link ConfigFile} such as {@link ConfigFile#queue}
     * @param javaOptions options for the JVM of each node
     * @param serverOptions options for each node besides those of the cluster
     * @param encrypted whether the nodes connect with TLS
     */
    public static JitneyCluster start(
            Path directory,
            int size,
            List<String> queues,
            List<String> javaOptions,
            List<String> serverOptions,
            boolean encrypted)
            throws IOException, InterruptedException {
        Path config = ConfigFile.write(directory.resolve("config.json"), queues, List.of());
        List<String> options = new ArrayList<>(List.of(ConfigFile.options(config)));
        options.addAll(List.of("--log-level", "WARN"));
        options.addAll(serverOptions);
        JitneyCluster cluster = new JitneyCluster(new ClusterProcesses(directory, size, javaOptions, options));
        try {
            if (encrypted) {
                cluster.processes.encrypt();
            }
            cluster.processes.launchAll();
            cluster.awaitWhole(PATIENCE);
            return cluster;
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return "Jitney";
    }

    @Override
    public List<BrokerNode> nodes() {
        return nodes;
    }

    @Override
    public String address(String queue) {
        return queue;
    }

    @Override
    public boolean isJava() {
        return true;
    }

    @Override
    public boolean reportsLeader() {
        return true;
    }

    @Override
    public BrokerNode awaitLeader(Duration patience) throws IOException {
        String leader = processes.awaitLeader(patience).name();
        return nodes.stream()
                .filter(node -> node.name().equals(leader))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void awaitWhole(Duration patience) throws IOException {
        processes.awaitWhole(patience);
    }

    /** Returns whether all nodes serve clients and are in sync now. */
    boolean isWhole() {
        return processes.isWhole();
    }

    /** Waits until the leader reports that a killed node is not in sync any more. */
    void awaitAway(BrokerNode node, Duration patience) throws IOException {
        processes.awaitAway(processes.node(node.name()), patience);
    }

    /** Stops a node with SIGTERM. Returns its exit status. */
    int terminate(String name) throws InterruptedException {
        return processes.node(name).terminate();
    }

    /** Starts a node without waiting until it is ready. */
    void launch(String name) throws IOException {
        processes.launch(processes.node(name));
    }

    /** Returns the current term. */
    long term() throws IOException {
        processes.awaitLeader(PATIENCE);
        ClusterView view = processes.view();
        if (view == null) {
            throw new IOException("Expected a leader, but there is none.");
        }
        return view.term();
    }

    /** Deletes all data of a node that does not run, like the loss of its disk. */
    void wipe(BrokerNode node) throws IOException {
        processes.node(node.name()).wipe();
    }

    @Override
    public String errors() {
        return processes.nodes().stream()
                .filter(node -> !node.errors().isEmpty())
                .map(node -> "node " + node.name() + ":" + System.lineSeparator() + node.errors())
                .collect(Collectors.joining(System.lineSeparator()));
    }

    @Override
    public void close() throws InterruptedException {
        processes.close();
    }

    /** One node. */
    private record Node(ClusterProcesses processes, NodeProcess process) implements BrokerNode {
        @Override
        public String name() {
            return process.name();
        }

        @Override
        public Endpoint endpoint() {
            return process.endpoint();
        }

        @Override
        public long pid() {
            return process.process().pid();
        }

        @Override
        public Path data() {
            return process.data();
        }

        @Override
        public void launch() throws IOException {
            processes.launch(process);
        }

        @Override
        public void kill() throws InterruptedException {
            process.kill();
        }
    }
}
