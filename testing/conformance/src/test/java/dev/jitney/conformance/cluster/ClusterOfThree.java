package dev.jitney.conformance.cluster;

import dev.jitney.conformance.support.Await;
import dev.jitney.server.tls.Tls;
import dev.jitney.testing.process.ClusterProcesses;
import dev.jitney.testing.process.NodeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Three nodes as processes with two stores, for all test classes that register this extension. A test begins with all nodes in
 * sync and may change the leader once. Each node serves all protocols on one port, and all have the same certificate (CL-26).
 */
final class ClusterOfThree implements BeforeAllCallback, BeforeEachCallback {
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final int STORES = 2;

    /** Twice the default, so that a busy machine changes no leaders by itself. */
    private static final int ELECTION_MS = 2_000;

    private @Nullable Shared shared;
    private @Nullable NodeProcess leader;

    /** The processes of all test classes, which end with the last class. */
    private static final class Shared implements AutoCloseable {
        private final Path directory;
        private final ClusterProcesses processes;

        Shared() throws Exception {
            directory = Files.createTempDirectory("jitney-cluster");
            Tls.auto().identity(directory, List.of(), System.currentTimeMillis());
            Path tls = directory.resolve("tls");
            processes = new ClusterProcesses(
                    directory,
                    List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                    List.of(
                            "--stores",
                            String.valueOf(STORES),
                            "--cluster-election-ms",
                            String.valueOf(ELECTION_MS),
                            "--tls",
                            tls.resolve("server.pem") + "," + tls.resolve("server-key.pem")));
        }

        @Override
        public void close() throws Exception {
            processes.close();
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        shared = context.getRoot()
                .getStore(Namespace.create(ClusterOfThree.class))
                .getOrComputeIfAbsent(
                        Shared.class,
                        key -> {
                            try {
                                return new Shared();
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        Shared.class);
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        ClusterProcesses processes = shared().processes;
        processes.launchAll();
        processes.awaitWhole(PATIENCE);
        leader = processes.awaitLeader(PATIENCE);
    }

    private Shared shared() {
        Shared existing = shared;
        if (existing == null) {
            throw new IllegalStateException("Expected a cluster, but it was not prepared.");
        }
        return existing;
    }

    /** Returns the node that leads when a test begins. */
    NodeProcess leader() {
        NodeProcess leads = leader;
        if (leads == null) {
            throw new IllegalStateException("Expected a leader, but there is none.");
        }
        return leads;
    }

    /** Returns a node that follows when a test begins, and may lead after the change. */
    NodeProcess follower() {
        return shared().processes.nodes().stream()
                .filter(node -> node != leader())
                .findFirst()
                .orElseThrow();
    }

    /** Changes the leader. Returns at once after a kill, before another node leads. */
    void change(Change change) throws InterruptedException {
        switch (change) {
            case KILL -> leader().kill();
            case MOVE -> move();
        }
    }

    /** Moves the leadership. On a busy machine the election may take longer than a node waits for it. */
    private void move() {
        ClusterProcesses processes = shared().processes;
        NodeProcess before = leader();
        Await.until("another leader", PATIENCE, () -> {
            String refusal = before.lead(follower().name());
            if (processes.awaitLeader(PATIENCE) == before) {
                throw new AssertionError("The leadership was not moved: " + refusal);
            }
            return true;
        });
    }

    /** Returns the authority that issued the certificate of the nodes, as a PEM file. */
    Path caFile() {
        return shared().directory.resolve("tls/ca.pem");
    }

    /** Returns the trust store for Java, with the password {@code changeit}. */
    Path trustStore() {
        return shared().directory.resolve("tls/truststore.p12");
    }

    /** Returns the views and the last log lines of all nodes, for error reports. */
    String report() {
        return shared().processes.report();
    }
}
