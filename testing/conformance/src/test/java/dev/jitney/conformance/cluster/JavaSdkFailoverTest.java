package dev.jitney.conformance.cluster;

import dev.jitney.conformance.support.TestTrust;
import dev.jitney.testing.process.NodeProcess;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The Java SDK with default options over a change of the leader. All checks meet the same change, each with clients of its own,
 * and continue at the same time.
 */
class JavaSdkFailoverTest {
    @RegisterExtension
    static final ClusterOfThree cluster = new ClusterOfThree();

    private TestTrust trust;
    private List<FailoverCheck> checks = List.of();

    @BeforeEach
    void trust() throws IOException {
        trust = TestTrust.in(cluster.trustStore());
    }

    @AfterEach
    void close() throws Exception {
        trust.close();
        for (FailoverCheck check : checks) {
            check.close();
        }
    }

    @TestFactory
    @DisplayName("CL-20, CL-23: clients at a follower, when the leader is killed")
    Stream<DynamicTest> kill() throws InterruptedException {
        return run(Way.PLAIN, cluster.follower(), Change.KILL);
    }

    @TestFactory
    @DisplayName("CL-15, CL-17, CL-23: clients at the leader, inside TLS, when the leadership is moved by order")
    Stream<DynamicTest> move() throws InterruptedException {
        return run(Way.TLS, cluster.leader(), Change.MOVE);
    }

    @TestFactory
    @DisplayName("CL-20, CL-23: clients at a follower, over WebSocket, when the leader is killed")
    Stream<DynamicTest> killOverWebSocket() throws InterruptedException {
        return run(Way.WEB_SOCKET, cluster.follower(), Change.KILL);
    }

    private Stream<DynamicTest> run(Way way, NodeProcess node, Change change) throws InterruptedException {
        FailoverClients clients = new FailoverClients(way, node.clientPort(), cluster.caFile());
        checks = List.of(
                new ProcessorCheck(clients),
                new RenewalCheck(clients),
                new DeletingReceiverCheck(clients),
                new DuplicatesCheck(clients),
                new SessionReceiverCheck(clients),
                new SessionProcessorCheck(clients),
                new TransactionCheck(clients),
                new ScheduledCheck(clients),
                new StoredMessagesCheck(clients),
                new AdministrationCheck(clients));
        ExecutorService threads = Executors.newFixedThreadPool(checks.size());
        try {
            each(threads, false);
            cluster.change(change);
            each(threads, true);
        } finally {
            threads.shutdown();
        }
        return checks.stream().map(check -> DynamicTest.dynamicTest(check.statement(), check::verify));
    }

    private void each(ExecutorService threads, boolean isAfter) {
        CompletableFuture.allOf(checks.stream()
                        .map(check -> CompletableFuture.runAsync(() -> check.keepFailure(isAfter), threads))
                        .toArray(CompletableFuture[]::new))
                .join();
    }
}
