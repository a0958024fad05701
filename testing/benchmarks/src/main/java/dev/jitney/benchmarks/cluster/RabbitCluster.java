package dev.jitney.benchmarks.cluster;

import dev.jitney.testing.process.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A cluster of RabbitMQ with a durable quorum queue, which has a member on each node. Its settings are the defaults, except for
 * ports and directories. Clients use AMQP 1.0: a plugin of RabbitMQ 3, native in RabbitMQ 4.
 */
public final class RabbitCluster implements ReplicatedBroker {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");
    private static final int PORTS_EACH = 2;
    private static final int FIRST_WITH_NEW_ADDRESSES = 4;
    private static final Pattern LEADER = Pattern.compile("\"leader\"\\s*:\\s*\"([^@\"]+)@");
    private static final Pattern ONLINE = Pattern.compile("\"online\"\\s*:\\s*\\[([^]]*)]");

    private final RabbitPrograms programs;
    private final String version;
    private final List<RabbitNode> nodes;

    private RabbitCluster(RabbitPrograms programs, String version, List<RabbitNode> nodes) {
        this.programs = programs;
        this.version = version;
        this.nodes = nodes;
    }

    /**
     * Starts a cluster, declares the queues, and waits until they have a member on each node.
     *
     * @param directory an existing empty directory inside {@code root}
     * @param size the number of nodes, 1 to 5
     * @param queues the names of the queues
     * @param root the root directory of the system that RabbitMQ is installed in
     * @throws IOException if RabbitMQ is not installed there or does not start
     */
    public static RabbitCluster start(Path directory, int size, List<String> queues, Path root)
            throws IOException, InterruptedException {
        List<Integer> ports = FreePorts.of(1 + size * PORTS_EACH);
        RabbitPrograms programs = RabbitPrograms.start(directory, root, ports.get(0));
        try {
            String version = programs.version();
            List<RabbitNode> nodes = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                int first = 1 + i * PORTS_EACH;
                nodes.add(new RabbitNode(programs, NAMES.get(i), directory, ports.get(first), ports.get(first + 1)));
            }
            RabbitCluster cluster = new RabbitCluster(programs, version, List.copyOf(nodes));
            cluster.form(directory, queues);
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            programs.close();
            throw e;
        }
    }

    /** Starts the first node alone, so that the others find it and join. */
    private void form(Path directory, List<String> queues) throws IOException, InterruptedException {
        for (RabbitNode node : nodes) {
            node.launch();
            awaitStart(node);
        }
        String each = queues.stream()
                .map(queue -> "{\"name\":\"" + queue + "\",\"vhost\":\"/\",\"durable\":true,\"auto_delete\":false,"
                        + "\"arguments\":{\"x-queue-type\":\"quorum\"}}")
                .collect(Collectors.joining(","));
        Path definitions = Files.writeString(directory.resolve("definitions.json"), "{\"queues\":[" + each + "]}");
        programs.control(nodes.get(0).name(), "import_definitions", programs.inside(definitions));
        awaitWhole(PATIENCE);
    }

    private void awaitStart(RabbitNode node) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        // The command fails at once as long as the node has not registered its name.
        while (programs.tryControl(node.name(), "await_startup").isEmpty()) {
            if (!node.isAlive()) {
                throw new IOException("RabbitMQ ended: " + node.errors());
            }
            expectBefore(deadline, "node " + node.name() + " to start");
        }
    }

    @Override
    public String name() {
        return "RabbitMQ " + version;
    }

    @Override
    public List<BrokerNode> nodes() {
        return List.copyOf(nodes);
    }

    @Override
    public String address(String queue) {
        int major = Integer.parseInt(version.substring(0, version.indexOf('.')));
        return (major < FIRST_WITH_NEW_ADDRESSES ? "/amq/queue/" : "/queues/") + queue;
    }

    @Override
    public boolean isJava() {
        return false;
    }

    /** Returns false: each request to the command line of RabbitMQ takes more than a second of processor time. */
    @Override
    public boolean reportsLeader() {
        return false;
    }

    @Override
    public BrokerNode awaitLeader(Duration patience) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            Matcher leader = LEADER.matcher(queues());
            if (leader.find()) {
                String name = leader.group(1);
                for (RabbitNode node : nodes) {
                    if (node.name().equals(name) && node.isAlive()) {
                        return node;
                    }
                }
            }
            expectBefore(deadline, "a leader of the queue");
        }
    }

    @Override
    public void awaitWhole(Duration patience) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            String queues = queues();
            Matcher online = ONLINE.matcher(queues);
            boolean whole = LEADER.matcher(queues).find();
            while (online.find()) {
                whole &= online.group(1).split(",").length == nodes.size();
            }
            if (whole) {
                return;
            }
            expectBefore(deadline, "all members of the queue to be online");
        }
    }

    private void expectBefore(long deadline, String what) throws IOException {
        if (System.nanoTime() - deadline > 0) {
            throw new IOException("Expected " + what + ", but got: " + errors());
        }
    }

    /** Returns leader and members of all queues as a running node reports them, or an empty string if none answers. */
    private String queues() throws IOException, InterruptedException {
        for (RabbitNode node : nodes) {
            if (node.isAlive()) {
                String answer = programs.tryControl(
                        node.name(), "list_queues", "--silent", "--formatter", "json", "name", "leader", "online");
                if (LEADER.matcher(answer).find()) {
                    return answer;
                }
            }
        }
        return "";
    }

    @Override
    public String errors() {
        return nodes.stream().map(RabbitNode::errors).collect(Collectors.joining());
    }

    @Override
    public void close() throws InterruptedException {
        for (RabbitNode node : nodes) {
            node.kill();
        }
        programs.close();
    }
}
