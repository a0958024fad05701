package dev.jitney.conformance.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.js.Node;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.samples.ManageQueues;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the samples of the README's section on managing entities end without an error and print their results. */
class ManageSamplesTest {
    private static final String[] LINES = {
        "Created: lunch, locks for PT30S",
        "Updated: at most 3 deliveries",
        "Listed: lunch",
        "Holds: 0 active messages, 0 dead letters",
        "Deleted: lunch, exists: false"
    };

    @RegisterExtension
    static final TestBroker broker = TestBroker.withStandardHttps();

    @Test
    @DisplayName("The Java sample over plain HTTP")
    void javaOverPlainHttp() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream console = System.out;
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            ManageQueues.run(ManageQueues.overPlainHttp(broker.connectionString(), broker.httpPort()));
        } finally {
            System.setOut(console);
        }
        assertThat(said.toString(StandardCharsets.UTF_8)).contains(LINES);
    }

    @Test
    @DisplayName("The Java sample over HTTPS, with the server's own authority as the trust store")
    void javaOverHttps(@TempDir Path dir) throws Exception {
        Path output = dir.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djavax.net.ssl.trustStore=" + broker.trustStore(),
                        "-Djavax.net.ssl.trustStorePassword=changeit",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ManageQueues.class.getName(),
                        "https")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("SERVICEBUS_CONNECTION_STRING", broker.connectionString());
        Process process = builder.start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(output);
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(said).contains(LINES);
    }

    @Test
    @DisplayName("The JavaScript sample over HTTPS")
    void javaScript() {
        Node.Result result = Node.in("../../samples/javascript")
                .run(
                        Map.of(
                                "SERVICEBUS_CONNECTION_STRING", broker.adminConnectionString(),
                                "NODE_EXTRA_CA_CERTS", broker.caFile().toString()),
                        "manage-queues.mjs");
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains(LINES);
    }
}
