package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.cluster.BrokerNode;
import dev.jitney.benchmarks.cluster.ReplicatedBroker;
import dev.jitney.benchmarks.load.BenchPlan;
import dev.jitney.benchmarks.load.BenchRun;
import dev.jitney.benchmarks.load.Follower;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.process.ProcessCost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Several nodes that run for one benchmark, on a directory that is deleted with them. */
final class OwnCluster implements OwnBroker {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Path directory;
    private final ReplicatedBroker broker;
    private final boolean throughFollower;

    /** The start of a broker on an empty directory. */
    @FunctionalInterface
    interface Start {
        ReplicatedBroker on(Path directory) throws IOException, InterruptedException;
    }

    /**
     * Starts a broker on a new temporary directory.
     *
     * @param temporary the parent of the directory
     * @param throughFollower whether clients connect to a follower instead of the leader
     */
    static OwnCluster start(Path temporary, Start start, boolean throughFollower)
            throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(temporary, "jitney-bench-");
        Directories.deleteAtTheEnd(directory);
        try {
            return new OwnCluster(directory, start.on(directory), throughFollower);
        } catch (IOException | InterruptedException | RuntimeException e) {
            Directories.delete(directory);
            throw e;
        }
    }

    private OwnCluster(Path directory, ReplicatedBroker broker, boolean throughFollower) {
        this.directory = directory;
        this.broker = broker;
        this.throughFollower = throughFollower;
    }

    ReplicatedBroker broker() {
        return broker;
    }

    @Override
    public String address(String queue) {
        return broker.address(queue);
    }

    @Override
    public BenchRun run(BenchPlan plan, boolean webSocket) throws IOException, InterruptedException {
        BrokerNode leader = broker.awaitLeader(PATIENCE);
        List<Follower> followers = broker.nodes().stream()
                .filter(node -> !node.name().equals(leader.name()))
                .map(node -> new Follower(node.name(), node.pid(), broker.isJava()))
                .toList();
        Endpoint amqp = (throughFollower ? broker.otherThan(leader) : leader).endpoint();
        Endpoint endpoint = webSocket ? amqp.overWebSocket(amqp.port()) : amqp;
        return new BenchRun(plan, endpoint, new ProcessCost(leader.pid()), followers, moved -> {});
    }

    @Override
    public void tellErrors(Terminal terminal) {
        // Warnings are ordinary here: nodes that start, and pauses of a busy machine.
        List<String> errors =
                broker.errors().lines().filter(line -> line.contains(" ERROR ")).toList();
        if (!errors.isEmpty()) {
            terminal.say("The nodes logged errors:%n%s", String.join(System.lineSeparator(), errors));
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        try {
            broker.close();
        } finally {
            Directories.delete(directory);
        }
    }
}
