package dev.jitney.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jitney.server.JitneyServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The command jitney doctor")
class DoctorCommandTest {
    private final Map<String, String> environment = new HashMap<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path dir;

    private int run(String... args) {
        out.reset();
        err.reset();
        return new JitneyCli(
                        environment,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        (builder, configured, exitWithInput) -> 99)
                .execute(args);
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("checks a running server by the options of the server, and a stopped one, and changes no file")
    void runningAndStopped() throws Exception {
        Path data = dir.resolve("data");
        try (JitneyServer server =
                JitneyServer.builder().dataDir(data).port(0).build().start()) {
            run("doctor", "--data-dir", data.toString(), "--port", String.valueOf(server.httpPort()));
            assertThat(printed())
                    .contains("ok       server         The server at http://127.0.0.1:" + server.httpPort()
                            + " is ready.")
                    .contains("ok       data           The checksums of ")
                    .contains("advice   keys           Rule 'RootManageSharedAccessKey' of the server is weak")
                    .containsPattern("\\d+ ok, \\d+ advice, \\d+ warnings, \\d+ faults");
        }
        List<String> before = files(data);
        environment.put("JITNEY_DATA_DIR", data.toString());
        run("doctor", "--json");
        JsonNode report = new ObjectMapper().readTree(printed());
        assertThat(report.get("findings").findValuesAsText("check")).contains("server", "data", "clock", "memory");
        assertThat(report.get("faults").isNumber()).isTrue();
        assertThat(report.toString()).contains("No server uses the data directory");
        assertThat(files(data)).isEqualTo(before);
    }

    private static List<String> files(Path data) throws Exception {
        try (Stream<Path> all = Files.walk(data)) {
            return all.map(file -> file + " " + file.toFile().lastModified() + " "
                            + file.toFile().length())
                    .sorted()
                    .toList();
        }
    }

    @Test
    @DisplayName("ends with 1 for a fault, such as an invalid configuration file or a server that does not answer")
    void faults() throws Exception {
        Path config = Files.writeString(dir.resolve("config.json"), "{");
        assertThat(run("doctor", "--data-dir", dir.toString(), "--config", config.toString()))
                .isEqualTo(1);
        assertThat(printed()).contains("fault    configuration  --config " + config);
        assertThat(run("doctor", "--data-dir", dir.toString(), "--url", "http://127.0.0.1:1"))
                .isEqualTo(1);
        assertThat(printed()).contains("fault    server         No server answers at http://127.0.0.1:1");
    }

    @Test
    @DisplayName("ends with 2 for options that neither it nor the server has")
    void invalid() {
        assertThat(run("doctor", "--no-such-option")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--no-such-option");
        assertThat(run("doctor", "--url", "nowhere")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("--url: Expected a URL such as http://localhost:5300");
        assertThat(run("doctor", "--time-limit", "soon")).isEqualTo(2);
    }
}
