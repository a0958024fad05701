package dev.jitney.cli.syphon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.support.Commands;
import dev.jitney.cli.support.LocalServer;
import dev.jitney.cli.support.Run;
import dev.jitney.cli.support.Run.Result;
import dev.jitney.cli.value.Json;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The command {@code jitney syphon} between two servers. */
class SyphonCommandTest {
    @RegisterExtension
    static final LocalServer primary = new LocalServer();

    @RegisterExtension
    static final LocalServer secondary = new LocalServer();

    @Test
    @DisplayName("PAIR-39: it delivers messages to the primary until it is interrupted, and prints a summary")
    void bringsHome() throws Exception {
        String queue = primary.queue();
        Run there = Commands.on(secondary);
        String backlog = "berlin/x-servicebus-transfer/0";
        there.ok("queue", "create", backlog);
        there.ok("send", backlog, "home", "--property", "x-ms-path=" + queue);
        there.ok("send", backlog, "foreign");

        Run syphon = Commands.anywhere()
                .with("JITNEY_PRIMARY", primary.connectionString())
                .with("JITNEY_SECONDARY", secondary.tlsConnectionString())
                .with("JITNEY_CA", secondary.ca().toString());
        CompletableFuture<Result> ended = CompletableFuture.supplyAsync(
                () -> syphon.run("syphon", "--namespace-name", "berlin", "--backlog-queue-count", "1", "-o", "json"));
        assertThat(Commands.on(primary).ok("receive", queue, "--wait", "2m").out())
                .contains("home");
        assertThat(there.ok("receive", backlog + "/$DeadLetterQueue", "--wait", "2m")
                        .out())
                .contains("foreign");
        // A message in transit when the syphon stops is neither completed nor counted.
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!there.ok("queue", "show", backlog, "-o", "json").out().contains("\"activeMessageCount\":0")) {
            assertThat(System.nanoTime()).as("all settled in time").isLessThan(end);
        }
        syphon.interruption().request();

        Result result = ended.get(120, TimeUnit.SECONDS);
        assertThat(result.status()).isEqualTo(130);
        assertThat(Json.object(result.lines().get(0)))
                .containsEntry("delivered", 1L)
                .containsEntry("deadLettered", 1L)
                .containsEntry("left", 0L);
        assertThat(result.err())
                .contains("Moving messages from 1 backlog queue in sb://localhost:", "Delivered 1 message to")
                .doesNotContain("SAS_KEY_VALUE");
        assertThat(there.ok("queue", "show", backlog, "-o", "json").out()).contains("\"activeMessageCount\":0");
    }
}
