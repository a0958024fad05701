package dev.jitney.testing.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a cluster on this machine, each a process with the class path of this one. They end at the latest with the
 * Java machine that started them. One thread starts and ends them, others may read.
 */
public final class ClusterProcesses implements AutoCloseable {
    private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");
    private static final int USUAL_SIZE = 3;
    private static final int PORTS_EACH = 3;
    private static final long LEVEL_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final Duration CERTIFICATES = Duration.ofMinutes(1);
    private static final String MAIN = "dev.jitney.server.cli.JitneyCli";

    private final List<NodeProcess> nodes = new ArrayList<>();
    private final List<String> java = new ArrayList<>();
    private final List<String> javaOptions = new ArrayList<>();
    private final List<String> server = new ArrayList<>();
    private final Path directory;
    private final String javaCommand;
    private volatile @Nullable Path certificates;

    /** Prepares three nodes without starting them; the parameters are those of the other constructor. */
    public ClusterProcesses(Path directory, List<String> javaOptions, List<String> serverOptions) throws IOException {
        this(directory, USUAL_SIZE, javaOptions, serverOptions);
    }

    /**
     * Prepares the nodes without starting them.
     *
     * @param directory the parent of their data directories
     * @param size the number of nodes, 1 to 5
     * @param javaOptions options for the Java machine of each node
     * @param serverOptions options for each node besides those of the cluster, the data directory and the ports
     */
    public ClusterProcesses(Path directory, int size, List<String> javaOptions, List<String> serverOptions)
            throws IOException {
        this(directory, Collections.nCopies(size, Place.HERE), javaOptions, serverOptions);
    }

    /**
     * The place of a node.
     *
     * @param host the address of the node for clients and other nodes
     * @param prefix the beginning of the command that starts it there; empty on this machine
     */
    public record Place(String host, List<String> prefix) {
        private static final Place HERE = new Place("127.0.0.1", List.of());
    }

    /**
     * Prepares the nodes, one for each place, without starting them.
     *
     * @param directory the parent of their data directories
     * @param places the places of the nodes, 1 to 5
     * @param javaOptions options for the Java machine of each node
     * @param serverOptions options for each node besides those of the cluster, the data directory and the ports
     */
    public ClusterProcesses(Path directory, List<Place> places, List<String> javaOptions, List<String> serverOptions)
            throws IOException {
        List<Integer> ports = FreePorts.of(places.size() * PORTS_EACH);
        for (int i = 0; i < places.size(); i++) {
            int first = i * PORTS_EACH;
            nodes.add(new NodeProcess(
                    NAMES.get(i),
                    places.get(i),
                    directory.resolve(NAMES.get(i)),
                    ports.get(first),
                    ports.get(first + 1),
                    ports.get(first + 2)));
        }
        this.directory = directory;
        this.javaCommand =
                Path.of(System.getProperty("java.home"), "bin", "java").toString();
        this.javaOptions.add("-XX:+ExitOnOutOfMemoryError");
        if (Runtime.version().feature() >= 22) {
            this.javaOptions.add("--enable-native-access=ALL-UNNAMED");
        }
        if (Runtime.version().feature() >= 24) {
            this.javaOptions.add("--sun-misc-unsafe-memory-access=allow");
        }
        this.javaOptions.addAll(javaOptions);
        use(List.of("-cp", System.getProperty("java.class.path")));
        server.add("--cluster-nodes");
        server.add(nodes.stream().map(NodeProcess::member).collect(Collectors.joining(",")));
        server.addAll(serverOptions);
    }

    private void use(List<String> classes) {
        java.clear();
        java.add(javaCommand);
        java.addAll(javaOptions);
        java.addAll(classes);
        java.add(MAIN);
    }

    /**
     * Makes all later starts of nodes quicker: a cluster of one node starts and ends, and writes an archive of its classes.
     * Call it before the first start of a node.
     */
    public void shareClasses() throws IOException, InterruptedException {
        SharedClasses shared = new SharedClasses(javaCommand, directory.resolve("classes"));
        NodeProcess first = nodes.get(0);
        List<String> program = new ArrayList<>(List.of(MAIN, "server", "--stores", "1"));
        program.addAll(List.of("--data-dir", directory.resolve("trained").toString()));
        program.addAll(List.of("--port", String.valueOf(first.clientPort())));
        program.addAll(List.of("--cluster-nodes", first.member(), "--cluster-node", first.name()));
        shared.train(javaOptions, program, first::answersAsHealthy);
        use(shared.options());
    }

    /**
     * Uses another release for all later starts of nodes and for commands.
     *
     * @param classPath the class path of its server
     */
    public void release(String classPath) {
        use(List.of("-cp", classPath));
    }

    /** Uses the release of this process again. */
    public void ownRelease() {
        release(System.getProperty("java.class.path"));
    }

    /**
     * Lets the nodes and the commands use TLS, with certificates that {@code jitney cluster certificates} makes. Call it before the
     * first start of a node.
     */
    public void encrypt() throws IOException, InterruptedException {
        Path files = directory.resolve("certificates");
        Result made = command(CERTIFICATES, "certificates", "--out", files.toString());
        if (made.status() != 0) {
            throw new IOException("Expected certificates, but got: " + made.text());
        }
        OperatorTls operator = OperatorTls.read(files);
        nodes.forEach(node -> node.encrypt(files, operator));
        certificates = files;
    }

    /** Returns the nodes by name. */
    public List<NodeProcess> nodes() {
        return List.copyOf(nodes);
    }

    /** Returns the node of a name. */
    public NodeProcess node(String name) {
        return nodes.stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Expected the name of a node, but got " + name + "."));
    }

    /**
     * The result of a command.
     *
     * @param status the exit status
     * @param text   standard output and standard error
     */
    public record Result(int status, String text) {}

    /**
     * Runs {@code jitney cluster} in a process of its own, with the addresses of all nodes, and waits for its end.
     *
     * @param arguments the name of the command and its arguments
     * @throws IOException if it does not end in time
     */
    public Result command(Duration patience, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(java);
        command.add("cluster");
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(variable -> variable.startsWith("JITNEY_"));
        builder.environment().put("JITNEY_CLUSTER_NODES", server.get(1));
        Path files = certificates;
        if (files != null) {
            builder.environment().put("JITNEY_CLUSTER_TLS", OperatorTls.option(files, OperatorTls.NAME));
        }
        Path output = Files.createTempFile("jitney-cluster", ".txt");
        try {
            Process process = builder.redirectOutput(output.toFile()).start();
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new IOException("Expected 'jitney cluster " + String.join(" ", arguments) + "' to end within "
                        + patience.toSeconds() + " s, but it printed: " + Files.readString(output));
            }
            return new Result(process.exitValue(), Files.readString(output));
        } finally {
            Files.deleteIfExists(output);
        }
    }

    /** Starts a node without waiting until it is ready. */
    public void launch(NodeProcess node) throws IOException {
        node.launch(java, server);
    }

    /** Starts a node with more options, without waiting until it is ready. */
    public void launch(NodeProcess node, String... more) throws IOException {
        List<String> options = new ArrayList<>(server);
        options.addAll(List.of(more));
        node.launch(java, options);
    }

    /** Starts all nodes that do not run, without waiting until they are ready. */
    public void launchAll() throws IOException {
        for (NodeProcess node : nodes) {
            if (!node.isAlive()) {
                launch(node);
            }
        }
    }

    /**
     * Returns the cluster as its leader sees it, or else as a node sees it that knows a leader.
     *
     * @return the view with the highest term, or null if no running node knows a leader
     */
    public @Nullable ClusterView view() {
        ClusterView latest = null;
        for (NodeProcess node : nodes) {
            ClusterView view = node.isRunning() ? node.view() : null;
            if (view != null
                    && view.leader() != null
                    && (latest == null
                            || view.term() > latest.term()
                            || view.term() == latest.term() && view.isOfLeader())) {
                latest = view;
            }
        }
        return latest;
    }

    /** Waits until a node leads that runs, and returns it. */
    public NodeProcess awaitLeader(Duration patience) throws IOException {
        @Nullable ClusterView[] found = {null};
        await("a running node leads", patience, () -> {
            ClusterView view = view();
            found[0] = view;
            return view != null && view.leader() != null && node(view.leader()).isServing();
        });
        ClusterView view = found[0];
        if (view == null || view.leader() == null) {
            throw new IllegalStateException("Expected a leader, but there is none.");
        }
        return node(view.leader());
    }

    /** Waits until all nodes are members, serve clients and are in sync. */
    public void awaitWhole(Duration patience) throws IOException {
        await("all nodes serve and are in sync", patience, this::isWhole);
    }

    /** Returns whether all nodes are members, serve clients and are in sync now. */
    public boolean isWhole() {
        ClusterView view = view();
        return view != null && view.isWhole() && nodes.stream().allMatch(node -> node.isServing() && node.takesPart());
    }

    /** Waits until the leader reports that a node that was killed is no longer in sync. */
    public void awaitAway(NodeProcess node, Duration patience) throws IOException {
        await("node " + node.name() + " is reported as away", patience, () -> {
            ClusterView view = view();
            return view != null
                    && view.leader() != null
                    && view.members().stream()
                            .noneMatch(member -> member.name().equals(node.name())
                                    && member.state().equals("in sync"));
        });
    }

    /**
     * Waits until all nodes have applied the same entries, and no more for a second: the last commits of clients that have ended may
     * still be under way. Clients must not cause any meanwhile.
     */
    public void awaitLevel(Duration patience) throws IOException {
        AtomicLong index = new AtomicLong(-1);
        AtomicLong sinceNanos = new AtomicLong();
        await("all nodes stay at the same position", patience, () -> {
            ClusterView view = view();
            long now = System.nanoTime();
            long level =
                    view == null || !view.isLevel() ? -1 : view.members().get(0).index();
            if (level < 0 || level != index.getAndSet(level)) {
                sinceNanos.set(now);
                return false;
            }
            return now - sinceNanos.get() >= LEVEL_NANOS;
        });
    }

    /** A condition. */
    private interface Condition {
        boolean holds();
    }

    private void await(String what, Duration patience, Condition condition) throws IOException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > deadline) {
                throw new IOException("Expected within " + patience.toSeconds() + " s: " + what + ". " + report());
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Returns the views and the last log lines of all nodes, for error reports. */
    public String report() {
        StringBuilder text = new StringBuilder();
        for (NodeProcess node : nodes) {
            text.append("%n--- node %s, %s, sees %s%n%s"
                    .formatted(
                            node.name(),
                            !node.isAlive() ? "ended" : node.isRunning() ? "running" : "frozen",
                            node.isRunning() ? node.view() : null,
                            node.errors()));
        }
        return text.toString();
    }

    /** Kills all nodes that run. */
    @Override
    public void close() throws InterruptedException {
        for (NodeProcess node : nodes) {
            node.kill();
        }
    }
}
