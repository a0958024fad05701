package dev.jitney.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.fasterxml.jackson.databind.JsonNode;
import dev.jitney.distribution.Artifacts.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The images: their contents, and runs like in a container runtime, with another root, a user number and a read-only root. */
@Tag("release")
@Timeout(240)
class ReleasedImageTest {
    private static final String KEY = "a-key-of-this-test-that-nobody-else-has";

    private final List<Process> processes = new ArrayList<>();

    @TempDir
    Path dir;

    @AfterEach
    void endAll() throws Exception {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
    }

    @ParameterizedTest
    @DisplayName("An image has its run configuration, and all of its digests are correct")
    @CsvSource({"amd64", "arm64"})
    void description(String architecture) throws Exception {
        UnpackedImage image = UnpackedImage.of(architecture, dir);
        image.checkDigests();
        String name = "localhost/jitney:" + Artifacts.version();
        assertThat(image.json("oci-layout").path("imageLayoutVersion").asText()).isEqualTo("1.0.0");
        assertThat(image.json("index.json")
                        .at("/manifests/0/annotations/io.containerd.image.name")
                        .asText())
                .isEqualTo(name);
        assertThat(image.json("index.json")
                        .at("/manifests/0/platform/architecture")
                        .asText())
                .isEqualTo(architecture);
        assertThat(image.json("manifest.json").at("/0/RepoTags/0").asText()).isEqualTo(name);

        assertThat(image.config().path("architecture").asText()).isEqualTo(architecture);
        assertThat(image.config().path("os").asText()).isEqualTo("linux");
        JsonNode config = image.config().path("config");
        assertThat(config.path("User").asText()).matches("[1-9]\\d*:[1-9]\\d*");
        assertThat(config.path("Volumes").has("/data")).isTrue();
        assertThat(config.path("ExposedPorts").has("5672/tcp")).isTrue();
        assertThat(config.path("ExposedPorts").has("5300/tcp")).isTrue();
        assertThat(config.at("/Labels/org.opencontainers.image.version").asText())
                .isEqualTo(Artifacts.version());
        assertThat(image.start()).containsExactly("/usr/bin/jitney", "server");
        assertThat(image.healthCheck()).containsExactly("/usr/bin/jitney", "health", "--ready");
    }

    @ParameterizedTest
    @DisplayName("All programs and libraries of an image are for its processor, and none lacks a library")
    @CsvSource({"amd64,62,lib64/ld-linux-x86-64.so.2", "arm64,183,lib/ld-linux-aarch64.so.1"})
    void programs(String architecture, int machine, String loader) throws Exception {
        Path root = UnpackedImage.of(architecture, dir).root();
        assertThat(root.resolve(loader)).isRegularFile();
        Set<String> names = new TreeSet<>();
        Set<String> needed = new TreeSet<>();
        int programs = 0;
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                names.add(String.valueOf(file.getFileName()));
                ElfFile elf = ElfFile.read(Files.readAllBytes(file), file.toString());
                if (elf != null) {
                    programs++;
                    needed.addAll(elf.needed());
                    assertThat(elf.machine()).as(file.toString()).isEqualTo(machine);
                }
            }
        }
        assertThat(programs).isGreaterThan(25);
        assertThat(needed).contains("libc.so.6", "libz.so.1", "libstdc++.so.6", "libjvm.so");
        assertThat(names).containsAll(needed).doesNotContain("sh", "bash", "busybox");
        assertThat(names).filteredOn(name -> name.startsWith("librocksdbjni-")).hasSize(1);
    }

    @ParameterizedTest
    @DisplayName("An image lists its Debian packages, with the license of each package and library")
    @CsvSource({"amd64", "arm64"})
    void licenses(String architecture) throws Exception {
        Path docs = UnpackedImage.of(architecture, dir).root().resolve("usr/share/doc");
        assertThat(docs.resolve("jitney/debian-packages.txt"))
                .content()
                .containsPattern("(?m)^libc6 \\S+$")
                .containsPattern("(?m)^openjdk-\\d+-jdk-headless \\S+$");
        for (String each : List.of("libc6", "libstdc++6", "libgcc-s1", "zlib1g", "libc-bin")) {
            assertThat(docs.resolve(each + "/copyright")).isNotEmptyFile();
        }
        for (String each : List.of("LICENSE", "NOTICE", "sbom.json", "licenses/THIRD-PARTY.txt")) {
            assertThat(docs.resolve("jitney/" + each)).isNotEmptyFile();
        }
    }

    @Test
    @DisplayName("A container with a key and a volume serves clients outside and inside, and a second container keeps"
            + " its messages")
    @EnabledIfSystemProperty(named = "os.arch", matches = "amd64")
    void messages() throws Exception {
        UnpackedImage image = UnpackedImage.of("amd64", dir);
        Path volume = image.volume(dir.resolve("volume"));
        Map<String, String> variables = new HashMap<>(Map.of("JITNEY_SAS_KEY", KEY, "JITNEY_PORT", "0"));

        Process first = start(image, volume, variables);
        int port = untilReady(first);
        String url = "http://localhost:" + port;
        String connectionString = connectionString(port);
        Map<String, String> inside =
                Map.of("JITNEY_PORT", Integer.toString(port), "JITNEY_CONNECTION_STRING", connectionString);
        assertThat(ok(image.run(volume, inside, image.healthCheck()))).startsWith("Ready: ");
        ok(image.run(volume, inside, command(image, "queue", "create", "orders", "--admin-url", url)));
        ok(image.run(volume, inside, command(image, "send", "orders", "one coffee")));
        assertThat(ok(image.run(volume, inside, command(image, "receive", "orders"))))
                .contains("one coffee");
        ServiceBusClientBuilder builder = new ServiceBusClientBuilder().connectionString(connectionString);
        try (ServiceBusSenderClient sender =
                builder.sender().queueName("orders").buildClient()) {
            sender.sendMessage(new ServiceBusMessage("eine Tasse Tee für später"));
        }
        end(first);
        assertThat(image.run(volume, inside, image.healthCheck()).status()).isEqualTo(1);

        Process second = start(image, volume, variables);
        int otherPort = untilReady(second);
        try (ServiceBusReceiverClient receiver = new ServiceBusClientBuilder()
                .connectionString(connectionString(otherPort))
                .receiver()
                .queueName("orders")
                .disableAutoComplete()
                .buildClient()) {
            ServiceBusReceivedMessage tea = receiver.receiveMessages(1, Duration.ofSeconds(60)).stream()
                    .findFirst()
                    .orElseThrow();
            assertThat(tea.getBody()).hasToString("eine Tasse Tee für später");
            receiver.complete(tea);
        }
        end(second);
        assertThat(image.root().resolve("tmp")).isEmptyDirectory();
        assertThat(dir.resolve("errors")).content().doesNotContain("native code", "UnsatisfiedLink", " ERROR ");
    }

    @Test
    @DisplayName("Without its own key a container refuses to start and names the missing option")
    @EnabledIfSystemProperty(named = "os.arch", matches = "amd64")
    void noKey() throws Exception {
        UnpackedImage image = UnpackedImage.of("amd64", dir);
        Path volume = image.volume(dir.resolve("volume"));
        Result refused = image.run(volume, Map.of(), image.start());
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("its PrimaryKey is the public default", "--sas-key-file");
        Result bench = image.run(volume, Map.of(), command(image, "bench"));
        assertThat(bench.status()).isEqualTo(1);
        assertThat(bench.err()).contains("not in this image");
    }

    @Test
    @DisplayName("The variables of the emulator's compose file start a server with the entities of Config.json and a"
            + " warning")
    @EnabledIfSystemProperty(named = "os.arch", matches = "amd64")
    void emulator() throws Exception {
        UnpackedImage image = UnpackedImage.of("amd64", dir);
        Path volume = image.volume(dir.resolve("volume"));
        Path config = image.root().resolve("ServiceBus_Emulator/ConfigFiles/Config.json");
        Files.createDirectories(config.getParent());
        Files.copy(Artifacts.root().resolve("samples/config.json"), config);
        Map<String, String> variables = Map.of(
                "JITNEY_CONFIG",
                "/ServiceBus_Emulator/ConfigFiles/Config.json",
                "JITNEY_ALLOW_PUBLIC_KEY",
                "true",
                "ACCEPT_EULA",
                "Y",
                "SQL_SERVER",
                "mssql",
                "MSSQL_SA_PASSWORD",
                "unused",
                "JITNEY_PORT",
                "0");
        Process server = start(image, volume, variables);
        Map<String, String> inside = Map.of(
                "JITNEY_CONNECTION_STRING", connectionString(untilReady(server)).replace(KEY, "SAS_KEY_VALUE"));
        ok(image.run(volume, inside, command(image, "send", "orders", "one coffee")));
        assertThat(ok(image.run(volume, inside, command(image, "receive", "orders"))))
                .contains("one coffee");
        end(server);
        assertThat(dir.resolve("errors")).content().contains("WARN", "--allow-public-key");
    }

    private static List<String> command(UnpackedImage image, String... arguments) {
        List<String> command = new ArrayList<>(image.entrypoint());
        command.addAll(List.of(arguments));
        return command;
    }

    private static String connectionString(int port) {
        return "Endpoint=sb://localhost:" + port + ";SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey="
                + KEY + ";UseDevelopmentEmulator=true;";
    }

    private static String ok(Result result) {
        assertThat(result.status()).as(result.toString()).isZero();
        return result.out();
    }

    private static void end(Process process) throws InterruptedException {
        process.destroy(); // SIGTERM, as "docker stop" sends it
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    private Process start(UnpackedImage image, Path volume, Map<String, String> variables) throws IOException {
        Process process = image.program(volume, variables, image.start())
                .redirectError(
                        ProcessBuilder.Redirect.appendTo(dir.resolve("errors").toFile()))
                .start();
        processes.add(process);
        return process;
    }

    /** Reads the output of a server and returns its port. */
    private int untilReady(Process process) throws IOException {
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("Endpoint=sb://localhost:")) {
                return Integer.parseInt(line.replaceFirst("^Endpoint=sb://localhost:(\\d+);.*", "$1"));
            }
        }
        throw new AssertionError("The server ended before it was ready: " + Files.readString(dir.resolve("errors")));
    }
}
