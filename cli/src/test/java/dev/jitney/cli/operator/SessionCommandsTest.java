package dev.jitney.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverClient;
import dev.jitney.cli.support.Commands;
import dev.jitney.cli.support.LocalServer;
import dev.jitney.cli.support.Run;
import dev.jitney.cli.support.Run.Result;
import dev.jitney.cli.value.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The commands {@code jitney session list|show|state|clear|unlock|resubmit}. */
class SessionCommandsTest {
    @RegisterExtension
    static final LocalServer server = new LocalServer();

    private final Run jitney = Commands.on(server);

    private static String queue() throws Exception {
        return server.queue(queue -> queue.requiresSession(true));
    }

    @Test
    @DisplayName("Sessions are a table, and the last line says how to get the rest")
    void lists() throws Exception {
        String trips = queue();
        for (int i = 10; i < 35; i++) {
            jitney.ok("send", trips, "x", "--session-id", "trip " + i);
        }

        Result page = jitney.ok("session", "list", trips);
        assertThat(page.lines().get(0))
                .matches("SESSION +MESSAGES +DEFERRED +OLDEST +STATE BYTES +LOCKED UNTIL +HOLDER");
        assertThat(page.lines().get(1)).matches("trip 10 +1 +0 +\\S+Z *");
        assertThat(page.lines()).hasSize(21);
        assertThat(page.notes())
                .containsExactly("20 sessions so far; --after 'trip 29' continues, --all shows the rest.");
        assertThat(jitney.ok("session", "list", trips, "--after", "trip 29").notes())
                .containsExactly("5 sessions.");
        Result all = jitney.ok("session", "list", trips, "--contains", "3", "--all", "-o", "json");
        assertThat(all.lines()).hasSize(7);
        assertThat(Json.object(all.lines().get(0)))
                .containsEntry("sessionId", "trip 13")
                .containsEntry("locked", false);
        assertThat(jitney.run("session", "list", server.queue()).errors())
                .singleElement()
                .asString()
                .contains("does not require sessions");
    }

    @Test
    @DisplayName("A held session is shown with its state and its holder, is unlocked, and loses its state")
    void unlocksAndClears() throws Exception {
        String trips = queue();
        try (ServiceBusSessionReceiverClient sessions = new ServiceBusClientBuilder()
                        .connectionString(server.connectionString())
                        .sessionReceiver()
                        .queueName(trips)
                        .buildClient();
                ServiceBusReceiverClient holder = sessions.acceptSession("t/1")) {
            holder.setSessionState("gr\u00fcn\nzwei".getBytes(StandardCharsets.UTF_8));

            assertThat(jitney.ok("session", "show", trips, "t/1").out())
                    .containsPattern("stateSizeInBytes +10\n")
                    .containsPattern("locked +true\n")
                    .containsPattern("holder +link '");
            assertThat(jitney.ok("session", "state", trips, "t/1").lines()).containsExactly("gr\u00fcn", "zwei");
            Result locked = jitney.run("session", "clear", trips, "t/1", "--yes");
            assertThat(locked.status()).isEqualTo(2);
            assertThat(locked.errors()).last().asString().contains("is locked until");
            assertThat(jitney.ok("session", "unlock", trips, "t/1").notes())
                    .containsExactly("Session 't/1' is unlocked.");
            assertThat(jitney.ok("session", "state", trips, "t/1", "-o", "json").out())
                    .contains("Z3LDvG4KendlaQ==");
            Result cleared = jitney.ok("session", "clear", trips, "t/1", "--unlock", "--yes", "-o", "json");
            assertThat(Json.object(cleared.out()))
                    .containsEntry("sessionId", "t/1")
                    .containsEntry("done", true);
        }
        Result gone = jitney.run("session", "state", trips, "t/1");
        assertThat(gone.status()).isEqualTo(3);
        assertThat(gone.errors()).last().asString().contains("There is no session 't/1'");
    }

    @Test
    @DisplayName("The dead letters of one session are resubmitted in their order")
    void resubmits() throws Exception {
        String trips = queue();
        for (String body : List.of("1", "2", "3")) {
            jitney.ok("send", trips, body, "--session-id", "a");
        }
        jitney.ok("send", trips, "other", "--session-id", "b");
        jitney.ok("message", "dead-letter", trips, "--all");

        Result done = jitney.ok("session", "resubmit", trips, "a", "--max", "2");
        assertThat(done.notes()).singleElement().asString().contains("session 'a': 2 resubmitted.");
        Result rest = jitney.ok("session", "resubmit", trips, "a", "-o", "json");
        assertThat(Json.object(rest.lines().get(0))).containsEntry("done", true).containsEntry("sequenceNumber", "3");
        Result bodies = jitney.ok("message", "list", trips, "-o", "json");
        assertThat(bodies.lines())
                .extracting(line -> Json.object(line).get("body"))
                .containsExactly("1", "2", "3");
        assertThat(jitney.ok("message", "list", trips, "--dlq").lines()).hasSize(2);
    }
}
