package dev.jitney.cli.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.support.Commands;
import dev.jitney.cli.support.LocalServer;
import dev.jitney.cli.support.Run;
import dev.jitney.cli.value.Json;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The commands on namespaces, against a real server. */
class NamespaceCommandsTest {
    @RegisterExtension
    static final LocalServer server = new LocalServer();

    private final Run jitney = Commands.on(server);

    @Test
    @DisplayName("A namespace is created, used through its printed connection string without a host name, and deleted")
    void lifeOfANamespace() {
        String json =
                jitney.ok("namespace", "create", "team-b", "-o", "json").lines().get(0);
        String connectionString = String.valueOf(Json.object(json).get("connectionString"));
        assertThat(connectionString).contains("SharedAccessKeyName=team-b-root;", "UseDevelopmentEmulator=true");
        assertThat(jitney.ok("namespace", "list").out())
                .contains("sbemulatorns", "configuration", "team-b", "run time");

        Run team = Commands.anywhere()
                .with("JITNEY_ADMIN_URL", server.adminUrl())
                .with("JITNEY_CONNECTION_STRING", connectionString);
        team.ok("queue", "create", "of-team-b");
        team.ok("send", "of-team-b", "hello");
        assertThat(team.receive("of-team-b").out()).contains("hello");
        assertThat(jitney.run("queue", "show", "of-team-b").status()).isEqualTo(3);
        assertThat(team.run("namespace", "list").status())
                .as("needs Manage on the first namespace")
                .isEqualTo(1);

        assertThat(jitney.run("namespace", "create", "TEAM-B").status()).isEqualTo(4);
        assertThat(jitney.run("namespace", "delete", "team-b").status())
                .as("no terminal for the confirmation")
                .isEqualTo(2);
        jitney.ok("namespace", "delete", "team-b", "--yes");
        assertThat(jitney.ok("namespace", "list").out()).doesNotContain("team-b");
        assertThat(team.run("queue", "list").status()).isEqualTo(1);
    }

    @Test
    @DisplayName("Impossible requests are refused with the fix")
    void refusals() {
        assertThat(jitney.run("namespace", "create", "a.b").err()).contains("letters, digits or '-'");
        assertThat(jitney.run("namespace", "create", "localhost").err()).contains("Choose another name");
        assertThat(jitney.run("namespace", "create", "t", "--tier", "GOLD").err())
                .contains("BASIC, STANDARD or PREMIUM");
        assertThat(jitney.run("namespace", "create", "t", "--key-name", "RootManageSharedAccessKey")
                        .err())
                .contains("Choose another key name");
        assertThat(jitney.run("namespace", "delete", "sbemulatorns", "--yes").err())
                .contains("belongs to the configuration");
        assertThat(jitney.run("namespace", "delete", "nobody", "--yes").status())
                .isEqualTo(3);
    }
}
