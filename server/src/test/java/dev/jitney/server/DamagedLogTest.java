package dev.jitney.server;

import static dev.jitney.server.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.server.cluster.ClusterOptions;
import dev.jitney.testing.process.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node of a cluster that starts with a damaged log. */
@Timeout(120)
class DamagedLogTest {
    @TempDir
    Path dir;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    @DisplayName(
            "CL-42, CL-80: a node with a damaged log starts, its health page has the reason, and it serves again when the log is"
                    + " repaired")
    void staysUntilItIsRepaired() throws Exception {
        ClusterMember member = member();
        try (JitneyServer server = server(member).start()) {
            await(() -> server.trouble() == null);
            assertThat(health(member).statusCode()).isEqualTo(200);
        }
        Path log = openLog();
        byte[] intact = Files.readAllBytes(log);
        byte[] damaged = intact.clone();
        damaged[40] ^= 0x5a;
        Files.write(log, damaged);
        try (JitneyServer server = server(member).start()) {
            assertThat(server.trouble())
                    .contains(
                            "Node a takes no part in the cluster",
                            log.toString(),
                            "Repair",
                            "empty the data directory");
            HttpResponse<String> page = health(member);
            assertThat(page.statusCode()).isEqualTo(503);
            assertThat(page.body()).contains("takes no part in the cluster", String.valueOf(log.getFileName()));
            assertThat(Files.readAllBytes(log)).isEqualTo(damaged);
            Files.write(log, intact);
            await(() -> server.trouble() == null);
            assertThat(health(member).statusCode()).isEqualTo(200);
        }
    }

    private JitneyServer server(ClusterMember member) {
        return JitneyServer.builder()
                .dataDir(dir)
                .port(0)
                .cluster(new ClusterOptions(List.of(member), "a", null, false, 500, ClusterOptions.LOG_BYTES_MIN, null))
                .build();
    }

    private static ClusterMember member() throws IOException {
        List<Integer> ports = FreePorts.of(2);
        return new ClusterMember("a", "127.0.0.1", ports.get(0), ports.get(1));
    }

    private Path openLog() throws IOException {
        try (Stream<Path> files = Files.walk(dir)) {
            return files.filter(file -> file.getFileName().toString().startsWith("log_inprogress"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private HttpResponse<String> health(ClusterMember member) throws IOException, InterruptedException {
        URI page = URI.create("http://127.0.0.1:" + member.nodePort() + "/health");
        return http.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
    }
}
