package dev.jitney.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.support.Commands;
import dev.jitney.cli.support.LocalServer;
import dev.jitney.cli.support.Run;
import dev.jitney.cli.support.Run.Result;
import dev.jitney.cli.value.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("The command jitney audit")
class AuditCommandTest {
    @RegisterExtension
    static final LocalServer server = new LocalServer();

    private final Run jitney = Commands.on(server);

    @Test
    @DisplayName("lists actions as a table, the newest first, with their authors")
    void table() throws Exception {
        jitney.ok("queue", "create", "audited-orders", "--max-delivery-count", "3");
        jitney.ok("send", "audited-orders", "a");
        jitney.ok("message", "delete", "audited-orders", "1", "--yes");
        assertThat(jitney.run("queue", "create", "audited-orders").status()).isEqualTo(4);

        Result listed = jitney.ok("audit", "--entity", "audited-orders");

        List<String> lines = listed.lines();
        assertThat(lines.get(0)).matches("TIME +ACTION +RESULT +OBJECT +KEY +CLIENT +DETAILS");
        String author = " +RootManageSharedAccessKey +127\\.0\\.0\\.1:\\d+ +";
        assertThat(lines.get(1)).matches("\\S+Z +create queue +refused +audited-orders" + author + "\\S.*");
        assertThat(lines.get(2))
                .matches("\\S+Z +delete messages +done +audited-orders" + author + "1 of 1 messages: \\[1\\]");
        assertThat(lines.get(3))
                .matches("\\S+Z +create queue +done +audited-orders" + author + "maxDeliveryCount: 10 -> 3");
        assertThat(lines).hasSize(4);
        assertThat(listed.notes()).containsExactly("3 actions.");
        assertThat(jitney.ok("audit", "--entity", "audited-orders", "--action", "delete", "--result", "done")
                        .notes())
                .containsExactly("1 action.");
        assertThat(jitney.ok("audit", "--entity", "audited-orders", "--until", "1h")
                        .notes())
                .containsExactly("0 actions.");
        assertThat(jitney.ok("audit", "--entity", "audited-orders", "--since", "1h", "--key", "nobody")
                        .notes())
                .containsExactly("0 actions.");
    }

    @Test
    @DisplayName("continues where it ended, and lists everything as JSON lines")
    void pages() throws Exception {
        jitney.ok("topic", "create", "audited-events");
        for (int i = 0; i < 5; i++) {
            jitney.ok("topic", "update", "audited-events", "--user-metadata", "m" + i);
        }

        Result page = jitney.ok("audit", "--entity", "audited-events", "--max", "2", "-o", "json");
        assertThat(page.lines()).hasSize(2);
        Map<String, @Nullable Object> second = Json.object(page.lines().get(1));
        assertThat(second).containsEntry("action", "update topic").containsEntry("details", "userMetadata changed");
        assertThat(page.notes())
                .containsExactly("2 actions; --before " + second.get("id") + " continues, --all lists the rest.");

        Result rest = jitney.ok(
                "audit", "--entity", "audited-events", "--before", String.valueOf(second.get("id")), "-o", "json");
        assertThat(rest.lines()).hasSize(4);
        assertThat(Json.object(rest.lines().get(3))).containsEntry("action", "create topic");
        assertThat(jitney.ok("audit", "--entity", "audited-events", "--all", "-o", "json")
                        .lines())
                .hasSize(6)
                .startsWith(page.lines().toArray(String[]::new));
    }

    @Test
    @DisplayName("needs a key with Manage, and ends with Ctrl-C")
    void refusals() throws Exception {
        Result unknown = Commands.anywhere()
                .with("JITNEY_ADMIN_URL", server.adminUrl())
                .with("JITNEY_CONNECTION_STRING", server.connectionString().replace("SAS_KEY_VALUE", "wrong"))
                .run("audit");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.err()).contains("The server refused the key");
        Run interrupted = Commands.on(server);
        interrupted.interruption().request();
        assertThat(interrupted.run("audit").status()).isEqualTo(130);
    }
}
