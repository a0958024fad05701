package dev.jitney.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jitney.testkit.Jitney;
import dev.jitney.testkit.JitneyBroker;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.wait.strategy.HttpWaitStrategy;
import org.testcontainers.utility.MountableFile;

@Timeout(180)
class JitneyContainerTest {
    @TempDir
    Path dir;

    @Test
    @DisplayName("The image is that of the release with the version of the kit, and another image can be named")
    void image() {
        assertThat(JitneyContainer.imageOfRelease().asCanonicalNameString())
                .matches("localhost/jitney:\\d+\\.\\d+\\.\\d+.*");
        assertThat(new JitneyContainer("registry.example/jitney:1").getImage().toString())
                .contains("registry.example/jitney:1");
    }

    @Test
    @DisplayName("By default the broker is in memory and in test mode, and has a key of its own")
    void defaults() {
        JitneyContainer container = configured(new JitneyContainer());
        assertThat(container.getCommandParts()).containsExactly("server", "--test-mode", "ANY", "--in-memory");
        assertThat(container.getExposedPorts()).containsExactly(5672);
        String key = container.getEnvMap().get("JITNEY_SAS_KEY");
        assertThat(Base64.getDecoder().decode(key)).hasSize(32);
        assertThat(new JitneyContainer().getEnvMap()).doesNotContainEntry("JITNEY_SAS_KEY", key);
        assertThat(container.getEnvMap()).doesNotContainKey("JITNEY_CONFIG");
    }

    @Test
    @DisplayName("Test mode and memory can be switched off, and then there are no controls")
    void switchedOff() {
        JitneyContainer container =
                configured(new JitneyContainer().withTestMode(false).withInMemory(false));
        assertThat(container.getCommandParts()).containsExactly("server");
        assertThatThrownBy(container::broker)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("withTestMode");
    }

    @Test
    @DisplayName("A configuration file is copied into the container and named in its environment")
    void configFile() throws IOException {
        MountableFile file = MountableFile.forHostPath(Files.writeString(dir.resolve("Config.json"), "{}"));
        JitneyContainer container = configured(new JitneyContainer().withConfig(file));
        assertThat(container.getCopyToFileContainerPathMap()).containsEntry(file, "/jitney-config.json");
        assertThat(container.getEnvMap()).containsEntry("JITNEY_CONFIG", "/jitney-config.json");
    }

    @Test
    @DisplayName("The container is ready when the health page says so")
    void waitStrategy() {
        assertThat(new JitneyContainer())
                .extracting("waitStrategy")
                .isInstanceOf(HttpWaitStrategy.class)
                .hasFieldOrPropertyWithValue("path", "/health/ready");
    }

    @Test
    @DisplayName("A server with the command and the environment of the container becomes ready, and a test controls it")
    void sameCommandAsProcess() throws Exception {
        String home = System.getProperty("jitney.home");
        assumeTrue(home != null, "No folder with the launcher is set with -Djitney.home, so the command is not run.");
        JitneyContainer container = configured(new JitneyContainer());
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        List<String> command = new ArrayList<>(List.of(Path.of(home, "jitney").toString()));
        command.addAll(Arrays.asList(container.getCommandParts()));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(dir.toFile()).redirectErrorStream(true);
        // The variables of the image, except the port, which is free.
        builder.environment().putAll(Map.of("JITNEY_HOST", "0.0.0.0", "JITNEY_DATA_DIR", "/data/jitney"));
        builder.environment().putAll(container.getEnvMap());
        builder.environment().put("JITNEY_PORT", String.valueOf(port));
        Process process = builder.start();
        try {
            assertThat(process.inputReader(StandardCharsets.UTF_8)
                            .lines()
                            .takeWhile(line -> !line.contains("is ready.")))
                    .noneMatch(line -> line.startsWith("jitney: "));
            try (Jitney namespace = JitneyBroker.connect("localhost", port).newNamespace(n -> n.queue("orders"))) {
                assertThat(namespace.connectionString()).startsWith("Endpoint=sb://localhost:" + port + ";");
                namespace.queue("orders").send("one");
                Instant before = namespace.clock().now();
                namespace.clock().advance(Duration.ofHours(1));
                assertThat(Duration.between(before, namespace.clock().now()))
                        .isGreaterThanOrEqualTo(Duration.ofHours(1));
                assertThat(namespace.queue("orders").messages()).hasSize(1);
            }
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    @Test
    @DisplayName("With Docker and the image of the release: a container starts, and a test controls it")
    void realContainer() {
        // Testcontainers looks for a daemon for minutes.
        boolean mayRun = System.getenv("DOCKER_HOST") != null || Files.exists(Path.of("/var/run/docker.sock"));
        assumeTrue(
                mayRun && DockerClientFactory.instance().isDockerAvailable(),
                "No Docker daemon can be reached, so no container is started.");
        JitneyContainer container = new JitneyContainer();
        String image = JitneyContainer.imageOfRelease().asCanonicalNameString();
        assumeTrue(
                !DockerClientFactory.instance()
                        .client()
                        .listImagesCmd()
                        .withImageNameFilter(image)
                        .exec()
                        .isEmpty(),
                "The image " + image + " is not loaded, so no container is started.");
        try (container) {
            container.start();
            try (Jitney namespace = container.broker().newNamespace(n -> n.queue("orders"))) {
                namespace.queue("orders").send("one");
                assertThat(namespace.queue("orders").messages()).hasSize(1);
            }
        }
    }

    private static JitneyContainer configured(JitneyContainer container) {
        container.configure();
        return container;
    }
}
