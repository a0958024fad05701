package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.cluster.JitneyCluster;
import dev.jitney.benchmarks.cluster.RabbitCluster;
import dev.jitney.testing.client.Settling;
import dev.jitney.testing.process.ConfigFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of brokers with several nodes that a command starts. */
final class ClusterOptions {
    private static final int SIZE_MAX = 5;
    private static final int USUAL_SIZE = 3;
    private static final int MAX_DELIVERY_COUNT = OwnServer.MAX_DELIVERY_COUNT;

    @Option(
            names = "--cluster",
            paramLabel = "N",
            description =
                    "Number of nodes of a Jitney cluster to start on this machine, 1 to 5. Reports the processor time"
                            + " of the leader and of each follower.")
    private @Nullable Integer cluster;

    @Option(
            names = "--cluster-encrypted",
            description =
                    "Let the nodes of a Jitney cluster, three without --cluster, connect with TLS, with certificates made"
                            + " for the run.")
    private boolean encrypted;

    @Option(
            names = "--rabbitmq",
            paramLabel = "N",
            description =
                    "Number of nodes of a RabbitMQ cluster to start instead, 1 to 5, with a durable quorum queue that"
                            + " has a member on each. Needs an installed rabbitmq-server.")
    private @Nullable Integer rabbitmq;

    @Option(
            names = "--rabbitmq-root",
            paramLabel = "DIR",
            defaultValue = "/",
            description = "Root directory of the system with the RabbitMQ to use, entered with chroot unless it is /"
                    + " (default: ${DEFAULT-VALUE}).")
    private Path rabbitmqRoot = Path.of("/");

    @Option(
            names = "--unconfirmed",
            description =
                    "Complete messages without a confirmation by the broker, for a comparison with RabbitMQ, which"
                            + " does not confirm completions.")
    private boolean unconfirmed;

    /** Returns how receivers settle. */
    Settling settling() {
        return unconfirmed || rabbitmq != null ? Settling.BY_RECEIVER : Settling.CONFIRMED;
    }

    /** Returns whether one of the options needs several nodes. */
    boolean isGiven() {
        return cluster != null || rabbitmq != null || encrypted;
    }

    void check(Terminal terminal, int min) {
        if (cluster != null && rabbitmq != null) {
            throw terminal.bad("--rabbitmq: Expected no --cluster, but got both. Measure one broker after the other.");
        }
        if (encrypted && rabbitmq != null) {
            throw terminal.bad(
                    "--cluster-encrypted: Expected nodes of Jitney, but got --rabbitmq. Remove one of them.");
        }
        terminal.check("--cluster", cluster == null ? USUAL_SIZE : cluster, min, SIZE_MAX);
        terminal.check("--rabbitmq", rabbitmq == null ? USUAL_SIZE : rabbitmq, min, SIZE_MAX);
    }

    /** Returns whether the nodes are of RabbitMQ. */
    boolean isRabbit() {
        return rabbitmq != null;
    }

    /**
     * Starts the nodes, a cluster of three if none of the options is given. Waits until all are in sync.
     *
     * @param queues the names of the queues to create
     * @param throughFollower whether clients connect to a follower instead of the leader
     */
    OwnCluster start(List<String> queues, OwnServerOptions server, boolean throughFollower)
            throws IOException, InterruptedException {
        if (rabbitmq != null) {
            int size = rabbitmq;
            // The programs of RabbitMQ see only what is below their root.
            Path temporary = rabbitmqRoot.getNameCount() == 0 ? temporary() : rabbitmqRoot.resolve("tmp");
            return OwnCluster.start(
                    temporary,
                    directory -> RabbitCluster.start(directory, size, queues, rabbitmqRoot),
                    throughFollower);
        }
        List<String> described = queues.stream()
                .map(queue -> ConfigFile.queue(queue, MAX_DELIVERY_COUNT))
                .toList();
        int size = cluster == null ? USUAL_SIZE : cluster;
        return OwnCluster.start(
                temporary(),
                directory -> JitneyCluster.start(directory, size, described, server.java(), server.server(), encrypted),
                throughFollower);
    }

    private static Path temporary() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }
}
