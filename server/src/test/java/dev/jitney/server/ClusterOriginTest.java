package dev.jitney.server;

import static dev.jitney.server.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.server.cluster.ClusterLeave;
import dev.jitney.server.cluster.ClusterOptions;
import dev.jitney.server.cluster.ClusterOrigin;
import dev.jitney.server.config.ConfigReader;
import dev.jitney.testing.process.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A server whose data directory was another kind of node's")
class ClusterOriginTest {
    private static final int STORES = 2;

    @TempDir
    Path dir;

    private final HttpClient http = HttpClient.newHttpClient();
    private ClusterMember member;

    @BeforeEach
    void choosePorts() throws IOException {
        List<Integer> ports = FreePorts.of(2);
        member = new ClusterMember("a", "127.0.0.1", ports.get(0), ports.get(1));
    }

    @Test
    @DisplayName(
            "serves the entities of the single node as a cluster, and those of the cluster as a single node (CL-54)")
    void foundsAndLeaves() throws Exception {
        try (JitneyServer single = single(config("first"), null).start()) {
            assertThat(single.queuePaths(0)).containsExactly("first");
        }
        assertThat(dir.resolve("entities-1.copy")).exists();
        assertThatExceptionOfType(StartException.class)
                .as("without the option")
                .isThrownBy(() -> node(ClusterOrigin.UNCHANGED).start())
                .withMessageContaining("it is the messaging store of a single node");

        ClusterOrigin found = new ClusterOrigin(true, null);
        for (int i = 0; i < 2; i++) { // the option may stay
            try (JitneyServer cluster = node(found).start()) {
                await(cluster::isLeading);
                assertThat(cluster.queuePaths(0)).containsExactly("first");
                assertThat(dir.resolve("entities-1.copy")).doesNotExist();
            }
        }
        assertThatExceptionOfType(StartException.class)
                .as("without the option")
                .isThrownBy(() -> single(config("second"), null).start())
                .withMessageContaining("it is the copy of a cluster's store");

        for (int i = 0; i < 2; i++) {
            try (JitneyServer single =
                    single(config("second"), new ClusterLeave(null)).start()) {
                assertThat(single.queuePaths(0)).containsExactly("first", "second");
            }
        }
    }

    @Test
    @DisplayName("names the id of its cluster if the confirmation is another one (CL-56, CL-84)")
    void refusesAnotherId() throws Exception {
        try (JitneyServer cluster = node(ClusterOrigin.UNCHANGED).start()) {
            await(cluster::isLeading);
        }
        assertThatExceptionOfType(StartException.class)
                .isThrownBy(
                        () -> node(new ClusterOrigin(false, UUID.randomUUID())).start())
                .withMessageContaining("Expected the id of the cluster of this node as a confirmation, which is");
    }

    @Test
    @DisplayName("applies a configuration file by order, again and again, and refuses a wrong one (CL-32)")
    void appliesFiles() throws Exception {
        try (JitneyServer cluster = node(ClusterOrigin.UNCHANGED).start()) {
            await(cluster::isLeading);
            HttpResponse<String> first = apply(Files.readString(config("ordered")));
            assertThat(first.body()).isEqualTo("Namespace ns1: 1 entities created, 0 updated.");
            assertThat(cluster.queuePaths(0)).containsExactly("ordered");
            assertThat(apply(Files.readString(config("ordered"))).body())
                    .isEqualTo("Namespace ns1: 0 entities created, 0 updated.");

            assertThat(apply("{}").body()).contains("The file: ", "UserConfig");
            HttpResponse<String> unknown = apply(Files.readString(config("q")).replace("ns1", "other"));
            assertThat(unknown.statusCode()).isEqualTo(503);
            assertThat(unknown.body()).contains("Expected the name of a served namespace, but got 'other'");
            assertThat(cluster.queuePaths(0)).containsExactly("ordered");
        }
    }

    private HttpResponse<String> apply(String file) throws IOException, InterruptedException {
        URI page = URI.create("http://127.0.0.1:" + member.nodePort() + "/cluster/apply");
        return http.send(
                HttpRequest.newBuilder(page).POST(BodyPublishers.ofString(file)).build(), BodyHandlers.ofString());
    }

    private Path config(String queue) throws IOException {
        return Files.writeString(
                dir.resolveSibling(queue + "-" + UUID.randomUUID() + ".json"),
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"ns1\",\"Queues\":[{\"Name\":\"" + queue + "\"}]}]}}");
    }

    private JitneyServer single(Path config, @Nullable ClusterLeave leave) throws Exception {
        return JitneyServer.builder()
                .dataDir(dir)
                .port(0)
                .stores(STORES)
                .config(ConfigReader.read(config, false))
                .leaveCluster(leave)
                .build();
    }

    private JitneyServer node(ClusterOrigin origin) throws Exception {
        return JitneyServer.builder()
                .dataDir(dir)
                .port(0)
                .stores(STORES)
                .config(ConfigReader.parse(
                        "config",
                        "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"ns1\"}]}}".getBytes(StandardCharsets.UTF_8),
                        false))
                .cluster(new ClusterOptions(
                        List.of(member), "a", null, false, 500, ClusterOptions.LOG_BYTES_MIN, null, origin))
                .build();
    }
}
