package dev.jitney.cli.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.support.Commands;
import dev.jitney.cli.support.LocalServer;
import dev.jitney.cli.support.Run;
import dev.jitney.cli.support.Run.Result;
import dev.jitney.cli.value.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The commands jitney access")
class AccessCommandsTest {
    @RegisterExtension
    static final LocalServer server = new LocalServer();

    @TempDir
    Path dir;

    private final Run jitney = Commands.on(server);

    private static String connection(Result result) {
        return String.valueOf(Json.object(result.lines().get(0)).get("connectionString"));
    }

    /** Sends a message with a connection string, and returns the exit status. */
    private static int sends(String connection, String queue) throws Exception {
        return Commands.anywhere()
                .with("JITNEY_CONNECTION_STRING", connection)
                .with("JITNEY_ADMIN_URL", server.adminUrl())
                .run("send", queue, "a")
                .status();
    }

    @Test
    @DisplayName(
            "create a rule of a queue, rotate its keys without an interruption, and revoke the old key and the rule")
    void life() throws Exception {
        jitney.ok("queue", "create", "ruled");
        Result created = jitney.ok("access", "create", "web", "--rights", "send", "--entity", "ruled", "-o", "json");
        String old = connection(created);
        assertThat(old).contains("SharedAccessKeyName=web;", ";EntityPath=ruled");
        assertThat(sends(old, "ruled")).isZero();
        assertThat(jitney.ok("access", "list", "--entity", "ruled").lines())
                .hasSize(2)
                .last()
                .asString()
                .matches("web +Send");
        assertThat(jitney.ok("access", "list", "--entity", "ruled", "-o", "json")
                        .out())
                .doesNotContain("Key");

        Result rotated = jitney.ok("access", "rotate", "web", "--entity", "ruled", "-o", "json");
        String fresh = connection(rotated);
        assertThat(rotated.err()).contains("jitney access rotate web --entity ruled --swap");
        assertThat(sends(old, "ruled")).as("the old key is valid").isZero();
        assertThat(sends(fresh, "ruled")).as("the new key is valid").isZero();

        Result swapped = jitney.ok("access", "rotate", "web", "--entity", "ruled", "--swap");
        assertThat(swapped.err()).contains("jitney access revoke web --entity ruled --key secondary");
        assertThat(sends(old, "ruled")).as("both stay valid").isZero();

        jitney.ok("access", "revoke", "web", "--entity", "ruled", "--key", "secondary", "--yes");
        assertThat(sends(old, "ruled")).isEqualTo(1);
        assertThat(sends(fresh, "ruled")).isZero();

        jitney.ok("access", "revoke", "web", "--entity", "ruled", "--yes");
        assertThat(sends(fresh, "ruled")).isEqualTo(1);
        assertThat(jitney.run("access", "revoke", "web", "--entity", "ruled", "--yes")
                        .status())
                .isEqualTo(3);
    }

    @Test
    @DisplayName("write connection strings to new files for their owner only, one for each right")
    void files() throws Exception {
        Path file = dir.resolve("shop.conn");
        Result created = jitney.ok(
                "access", "create", "shop", "--rights", "Send,Listen", "--per-right", "--to-file", file.toString());
        assertThat(created.out()).doesNotContain("SharedAccessKey");
        for (String right : List.of("send", "listen")) {
            Path one = dir.resolve("shop.conn-" + right);
            assertThat(Files.readString(one)).startsWith("Endpoint=sb://").contains("Name=shop-" + right + ";");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(one)))
                    .isEqualTo("rw-------");
        }
        assertThat(jitney.ok("access", "list").out()).contains("shop-send", "shop-listen");

        Path taken = Files.writeString(dir.resolve("taken.conn"), "mine");
        Result refused = jitney.run("access", "create", "other", "--rights", "Send", "--to-file", taken.toString());
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("--to-file: Expected a new file, but");
        assertThat(taken).hasContent("mine");
        assertThat(jitney.ok("access", "list").out()).doesNotContain("other");

        Path unused = dir.resolve("unused.conn");
        assertThat(jitney.run("access", "rotate", "nothing", "--to-file", unused.toString())
                        .status())
                .isEqualTo(3);
        assertThat(jitney.run("access", "create", "x;y", "--rights", "Send", "--to-file", unused.toString())
                        .status())
                .isEqualTo(2);
        assertThat(unused).as("no empty file is left").doesNotExist();
    }

    @Test
    @DisplayName("refuse invalid options, names that exist, and a revocation without confirmation")
    void refusals() throws Exception {
        jitney.ok("access", "create", "twice", "--rights", "Listen");
        Result again = jitney.run("access", "create", "TWICE", "--rights", "Listen");
        assertThat(again.status()).isEqualTo(4);
        assertThat(again.err()).contains("'TWICE' of the namespace already exists");
        Result right = jitney.run("access", "create", "x", "--rights", "Read");
        assertThat(right.status()).isEqualTo(2);
        assertThat(right.err())
                .contains("--rights: Expected some of Listen, Send and Manage")
                .contains("'Read'");
        Result key = jitney.run("access", "revoke", "twice", "--key", "third", "--yes");
        assertThat(key.status()).isEqualTo(2);
        assertThat(key.err()).contains("--key: Expected primary or secondary, but got 'third'.");
        assertThat(jitney.run("access", "revoke", "twice").status()).isEqualTo(2);
        assertThat(jitney.run("access", "list", "--entity", "missing").status()).isEqualTo(3);
    }
}
