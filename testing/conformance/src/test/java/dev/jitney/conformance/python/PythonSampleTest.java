package dev.jitney.conformance.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.TestBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Runs the sample {@code samples/python/first_message.py}, over TLS. */
class PythonSampleTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.withHttps();

    @TempDir
    Path directory;

    @Test
    @DisplayName("The Python sample sends, receives, defers, dead-letters, schedules and peeks")
    void pythonSample() throws Exception {
        Python.requireServiceBus();
        broker.queue("orders", q -> q);
        Path output = directory.resolve("output");
        ProcessBuilder program =
                Python.program(broker, "sample.py").redirectErrorStream(true).redirectOutput(output.toFile());
        program.environment().put("JITNEY_CA", broker.caFile().toString());
        Process process = program.start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(output);
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(said)
                .contains(
                        "Received: one coffee",
                        "Deferred: one cake, when it is baked",
                        "Dead-lettered: one unicorn, not on the menu",
                        "Peeked: one tea",
                        "Scheduled: one tea");
        assertThat(broker.counts("orders").total()).isZero();
    }
}
