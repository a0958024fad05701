package dev.jitney.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jitney.benchmarks.JitneyBench;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** A short run on an installed RabbitMQ. Skipped without it, unless JITNEY_CI=true. */
final class RabbitClusterTest {
    private static final Path SCRIPT = Path.of("/usr/lib/rabbitmq/bin/rabbitmq-server");

    private final StringWriter out = new StringWriter();

    @BeforeEach
    void needsRabbitMq() {
        boolean installed = Files.isExecutable(SCRIPT);
        if (Boolean.parseBoolean(System.getenv("JITNEY_CI"))) {
            assertThat(installed).as("RabbitMQ is installed: %s", SCRIPT).isTrue();
        }
        assumeTrue(installed, "This test needs the package rabbitmq-server.");
    }

    @Test
    void movesMessagesThroughAQuorumQueueOfRabbitMq() {
        CommandLine bench = JitneyBench.model();
        bench.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(out, true));

        assertThat(bench.execute("both", "--rabbitmq=1", "--count=300", "--duration=60", "--json"))
                .as("%s", out)
                .isZero();

        assertThat(out.toString()).contains("\"completed\":300,").contains("\"trouble\":false");
    }
}
