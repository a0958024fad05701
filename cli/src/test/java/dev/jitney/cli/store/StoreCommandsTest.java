package dev.jitney.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.support.Commands;
import dev.jitney.cli.support.LocalServer;
import dev.jitney.cli.support.Run;
import dev.jitney.cli.support.Run.Result;
import dev.jitney.cli.value.Json;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The commands on stores, against a real server. */
class StoreCommandsTest {
    @RegisterExtension
    static final LocalServer server = new LocalServer();

    private final Run jitney = Commands.on(server);

    @Test
    @DisplayName("A store is listed, stopped, and started with all its messages")
    void stopAndStart() throws Exception {
        String queue = server.queue();
        jitney.ok("send", queue, "kept");
        assertThat(jitney.ok("store", "list").out()).contains("STORE", "STATE", "serving");

        Result stopped = jitney.ok("store", "stop", "0", "-o", "json");
        assertThat(Json.object(stopped.lines().get(0)))
                .containsEntry("state", "stopped")
                .containsEntry("store", 0L);
        assertThat(jitney.ok("store", "list").out()).contains("stopped", "administrator");
        assertThat(jitney.ok("queue", "show", queue, "-o", "json").out()).contains("\"activeMessageCount\":1");
        Result updated = jitney.run("queue", "update", queue, "--max-delivery-count", "3");
        assertThat(updated.status()).isEqualTo(1);
        assertThat(updated.err()).contains("Messaging store 0");

        assertThat(jitney.ok("store", "start", "0").out()).contains("serving");
        assertThat(jitney.receive(queue).out()).contains("kept");
    }

    @Test
    @DisplayName("The version of the program is printed, and that of the server for a key with Manage")
    void versions() {
        String program = Commands.anywhere().ok("--version").lines().get(0);
        assertThat(program).matches("jitney \\d+\\.\\d+\\.\\d+\\S* \\(Java \\d+, .+\\)");
        String server = "server " + program.split(" ")[1];
        assertThat(jitney.ok("version").lines()).containsExactly(program, server);
        assertThat(Commands.anywhere()
                        .ok("--version", "--admin-url", StoreCommandsTest.server.adminUrl())
                        .lines())
                .containsExactly(program, server);
        Result unknown = Commands.anywhere()
                .with("JITNEY_ADMIN_URL", StoreCommandsTest.server.adminUrl())
                .with(
                        "JITNEY_CONNECTION_STRING",
                        StoreCommandsTest.server.connectionString().replace("SAS_KEY_VALUE", "wrong"))
                .run("version");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.lines()).containsExactly(program);
        assertThat(unknown.err()).contains("SharedAccessKey").doesNotContain(server);
    }

    @Test
    @DisplayName("Over TLS, with a signature instead of a key, and with invalid requests")
    void otherWays() {
        String tls = server.tlsConnectionString();
        Run overTls = Commands.anywhere()
                .with("JITNEY_CONNECTION_STRING", tls)
                .with("JITNEY_ADMIN_URL", server.secureAdminUrl())
                .with("JITNEY_CA", server.ca().toString());
        assertThat(overTls.ok("store", "list", "-o", "json").lines()).hasSize(1);

        assertThat(jitney.run("store", "stop", "7").status()).isEqualTo(3);
        assertThat(jitney.run("store", "stop", "7").err()).contains("There is no store 7");
        assertThat(jitney.run("store", "stop").status()).isEqualTo(2);
        assertThat(jitney.run("store", "stop", "x").status()).isEqualTo(2);
        Result unknown = Commands.anywhere()
                .with("JITNEY_ADMIN_URL", server.adminUrl())
                .with("JITNEY_CONNECTION_STRING", server.connectionString().replace("SAS_KEY_VALUE", "wrong"))
                .run("store", "list");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.err()).contains("SharedAccessKey");
    }
}
