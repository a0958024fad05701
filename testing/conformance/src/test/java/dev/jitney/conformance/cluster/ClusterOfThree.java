package dev.jitney.conformance.cluster;

import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClientBuilder;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.testing.process.ClusterProcesses;
import dev.jitney.testing.process.NodeProcess;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Three nodes as processes, for one test class. Each test begins with all nodes in sync, connects through a follower, and may
 * kill the leader once.
 */
final class ClusterOfThree implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private @Nullable Path directory;
    private @Nullable ClusterProcesses processes;
    private @Nullable NodeProcess leader;
    private int clientPort;

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        Path created = Files.createTempDirectory("jitney-cluster");
        directory = created;
        processes = new ClusterProcesses(
                created, List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"), List.of());
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        ClusterProcesses all = processes();
        all.launchAll();
        all.awaitWhole(PATIENCE);
        NodeProcess leads = all.awaitLeader(PATIENCE);
        leader = leads;
        clientPort = all.nodes().stream()
                .filter(node -> node != leads)
                .findFirst()
                .orElseThrow()
                .clientPort();
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        processes().close();
        Path created = directory;
        if (created != null) {
            try (Stream<Path> files = Files.walk(created)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private ClusterProcesses processes() {
        ClusterProcesses all = processes;
        if (all == null) {
            throw new IllegalStateException("Expected a cluster, but it was not prepared.");
        }
        return all;
    }

    /** Kills the leader with SIGKILL. Returns at once, before another node leads. */
    void killLeader() throws InterruptedException {
        NodeProcess leads = leader;
        if (leads == null) {
            throw new IllegalStateException("Expected a leader, but there is none.");
        }
        leads.kill();
    }

    /** Returns a builder of clients with default options, which connect to a follower. */
    ServiceBusClientBuilder clients() {
        return new ServiceBusClientBuilder()
                .connectionString("Endpoint=sb://localhost:" + clientPort + ";SharedAccessKeyName=" + TestBroker.RULE
                        + ";SharedAccessKey=" + TestBroker.KEY + ";UseDevelopmentEmulator=true;");
    }

    /** Returns an administration client with default options, except that it uses HTTP without TLS at the follower's port. */
    ServiceBusAdministrationClient administration() {
        int port = clientPort;
        HttpPipelinePolicy plain = (context, next) -> {
            URL url = context.getHttpRequest().getUrl();
            context.getHttpRequest().setUrl("http://localhost:" + port + url.getFile());
            return next.process();
        };
        return new ServiceBusAdministrationClientBuilder()
                .connectionString("Endpoint=sb://localhost;SharedAccessKeyName=" + TestBroker.RULE + ";SharedAccessKey="
                        + TestBroker.KEY)
                .addPolicy(plain)
                .buildClient();
    }
}
