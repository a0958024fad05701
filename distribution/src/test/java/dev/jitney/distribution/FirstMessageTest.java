package dev.jitney.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.distribution.Artifacts.Result;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The samples against a server of the archive, with its printed connection string. */
@Tag("release")
@Timeout(240)
class FirstMessageTest {
    private static final String[] LINES = {
        "Received: one coffee",
        "Deferred: one cake, when it is baked",
        "Dead-lettered: one unicorn, not on the menu",
        "Peeked: one tea",
        "Scheduled: one tea"
    };

    /** Debian's Python, which has Debian's packages. The python3 on the PATH may be another one. */
    private static final String PYTHON = "/usr/bin/python3";

    @TempDir
    Path dir;

    @Test
    @DisplayName("The JavaScript sample works with the connection string that the server of the archive prints")
    void javaScript() throws Exception {
        needs("node", "npm ci --prefix samples/javascript", "node", "--version");
        Path sample = Artifacts.root().resolve("samples/javascript");
        needs(
                "the packages of samples/javascript",
                "npm ci --prefix samples/javascript",
                "test",
                "-d",
                sample.resolve("node_modules/@azure/service-bus").toString());
        assertThat(run("node", sample.resolve("first-message.mjs").toString())).contains(LINES);
    }

    @Test
    @DisplayName("The Python sample works with the connection string that the server of the archive prints")
    void python() throws Exception {
        needs("azure.servicebus", "apt-get install python3-azure", PYTHON, "-c", "import azure.servicebus, uamqp");
        Path sample = Artifacts.root().resolve("samples/python/first_message.py");
        assertThat(run(PYTHON, "-B", "-u", sample.toString())).contains(LINES);
    }

    private String run(String... program) throws Exception {
        Path home = Artifacts.unpack("jitney-" + Artifacts.version() + "-linux-x64.tar.gz", dir.resolve("place"));
        Path script = dir.resolve("first-message.sh");
        try (InputStream in = FirstMessageTest.class.getResourceAsStream("first-message.sh")) {
            Files.write(script, in.readAllBytes());
        }
        List<String> command = new ArrayList<>(List.of(
                "unshare",
                "--map-root-user",
                "--net",
                "--pid",
                "--fork",
                "--kill-child",
                "sh",
                script.toString(),
                home.resolve("bin/jitney").toString(),
                home.resolve("conf/config.json").toString(),
                dir.resolve("data").toString()));
        command.addAll(List.of(program));
        Result result = Artifacts.run(dir, path(), command.toArray(String[]::new));
        assertThat(result.status()).as(result.toString()).isZero();
        return result.out();
    }

    private static Map<String, String> path() {
        return Map.of("PATH", System.getenv("PATH"), "LC_ALL", "C.UTF-8");
    }

    /** Skips a test if a program is missing, but fails if {@code JITNEY_CI} is true. */
    private void needs(String name, String advice, String... check) throws Exception {
        int status;
        try {
            status = Artifacts.run(dir, path(), check).status();
        } catch (java.io.IOException e) {
            status = -1;
        }
        if (status != 0) {
            String missing = "Expected " + name + ", but it is missing: " + advice;
            if ("true".equals(System.getenv("JITNEY_CI"))) {
                throw new AssertionError(missing + ". In CI this test must not be skipped.");
            }
            Assumptions.abort(missing);
        }
    }
}
