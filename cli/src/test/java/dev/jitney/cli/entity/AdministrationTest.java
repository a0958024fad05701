package dev.jitney.cli.entity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.support.Commands;
import dev.jitney.cli.support.LocalServer;
import dev.jitney.cli.support.Run;
import dev.jitney.cli.support.Run.Result;
import dev.jitney.cli.value.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The commands on entities, against a real server. */
class AdministrationTest {
    @RegisterExtension
    static final LocalServer server = new LocalServer();

    @TempDir
    Path dir;

    private final Run jitney = Commands.on(server);

    @Test
    @DisplayName("A queue is created, shown with its counts, changed, listed and deleted")
    void queue() {
        jitney.ok("queue", "create", "coffee", "--lock-duration", "30s", "--user-metadata", "a <b> & c");
        jitney.ok("send", "coffee", "one", "--count", "3");
        jitney.ok("send", "coffee", "later", "--schedule", "1h");
        jitney.receive("coffee", "--settle", "dead-letter");
        assertThat(only(jitney.ok("queue", "show", "coffee", "-o", "json")))
                .containsEntry("lockDuration", "PT30S")
                .containsEntry("userMetadata", "a <b> & c")
                .containsEntry("duplicateDetectionHistoryTimeWindow", "PT10M")
                .containsEntry("activeMessageCount", 2L)
                .containsEntry("scheduledMessageCount", 1L)
                .containsEntry("deadLetterMessageCount", 1L)
                .containsEntry("messageCount", 4L)
                .containsKeys("createdAt", "accessedAt");

        jitney.ok("queue", "update", "coffee", "--max-delivery-count", "2");
        assertThat(only(jitney.ok("queue", "show", "coffee", "-o", "json")))
                .containsEntry("maxDeliveryCount", 2L)
                .containsEntry("lockDuration", "PT30S")
                .containsEntry("userMetadata", "a <b> & c");
        assertThat(jitney.ok("queue", "list").lines())
                .anySatisfy(line -> assertThat(line).matches("coffee +Active +2 +1 +1 +0 +4 +\\d+"));
        assertThat(jitney.run("queue", "create", "coffee").status()).isEqualTo(4);
        assertThat(jitney.run("topic", "create", "coffee").status()).isEqualTo(4);
        assertThat(jitney.run("topic", "delete", "coffee", "--yes").errors())
                .as("the service would delete an entity of any kind with this name")
                .containsExactly("jitney: There is no topic 'coffee'. To see all: jitney topic list");
        jitney.ok("queue", "delete", "coffee", "--yes");
        assertThat(jitney.run("queue", "show", "coffee").status()).isEqualTo(3);
        assertThat(jitney.run("queue", "create", "bad", "--lock-duration", "1s").errors())
                .singleElement()
                .asString()
                .startsWith("jitney: The server refused the request (400): ")
                .contains("LockDuration");
    }

    @Test
    @DisplayName("Topics, subscriptions and rules are created, shown, changed, listed and deleted")
    void topic() {
        jitney.ok("topic", "create", "events", "--default-message-time-to-live", "1h");
        jitney.ok("topic", "update", "events", "--user-metadata", "x");
        assertThat(only(jitney.ok("topic", "show", "events", "-o", "json")))
                .containsEntry("defaultMessageTimeToLive", "PT1H")
                .containsEntry("supportOrdering", true)
                .containsEntry("userMetadata", "x")
                .containsEntry("subscriptionCount", 0L);
        jitney.ok("subscription", "create", "events", "billing", "--default-message-time-to-live", "10m");
        jitney.ok("subscription", "update", "events", "billing", "--max-delivery-count", "3");
        assertThat(only(jitney.ok("subscription", "show", "events", "billing", "-o", "json")))
                .containsEntry("defaultMessageTimeToLive", "PT10M")
                .containsEntry("maxDeliveryCount", 3L);
        jitney.ok("rule", "create", "events", "billing", "eu", "--correlation", "region=eu", "--action", "SET x = 1");
        jitney.ok("rule", "update", "events", "billing", "eu", "--sql", "amount > @a", "--parameter", "@a=1");
        assertThat(jitney.ok("rule", "list", "events", "billing").lines())
                .containsExactly("NAME      FILTER       ACTION", "$Default  all", "eu        amount > @a  SET x = 1");
        jitney.ok("rule", "delete", "events", "billing", "$Default", "--yes");
        assertThat(jitney.ok("subscription", "list", "events").lines()).hasSize(2);
        jitney.ok("topic", "delete", "events", "--yes");
        assertThat(jitney.run("subscription", "list", "events").status()).isEqualTo(3);
    }

    @Test
    @DisplayName("A list of 250 queues reads all pages")
    void pages() {
        for (int i = 0; i < 250; i++) {
            assertThat(jitney.run("queue", "create", "many-" + i).status()).isZero();
        }
        assertThat(jitney.ok("queue", "list", "-o", "json").lines().stream().filter(line -> line.contains("\"many-")))
                .hasSize(250)
                .doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("An exported namespace can be restored from the file, with entities and messages")
    void exportAndImport() throws Exception {
        jitney.ok("queue", "create", "z-archive");
        jitney.ok("queue", "create", "a-first", "--forward-dead-lettered-messages-to", "z-archive");
        jitney.ok("topic", "create", "news");
        jitney.ok("subscription", "create", "news", "all");
        jitney.ok("rule", "create", "news", "all", "large", "--sql", "amount > 10");
        jitney.ok("send", "z-archive", "one", "--count", "5", "-p", "n:int=1");
        Path file = dir.resolve("namespace.jsonl");
        Result exported = jitney.ok("export", "z-archive", "a-first", "news", "--file", file.toString());
        assertThat(exported.err()).contains("Exported 4 entities and 5 messages of 'localhost'.");

        jitney.ok("queue", "delete", "a-first", "--yes");
        jitney.ok("queue", "delete", "z-archive", "--yes");
        jitney.ok("topic", "delete", "news", "--yes");
        assertThat(jitney.ok("import", file.toString()).err())
                .contains("Entities: 4 created, 0 updated, 0 unchanged, 0 different, 0 failed. Messages: 5 sent.");
        Path again = dir.resolve("again.jsonl");
        jitney.ok("export", "z-archive", "a-first", "news", "--entities", "--file", again.toString());
        assertThat(Files.readAllLines(again))
                .isEqualTo(Files.readAllLines(file).stream()
                        .filter(line -> !line.contains("\"kind\":\"message\""))
                        .toList());
        assertThat(jitney.ok("peek", "z-archive", "-o", "json").lines())
                .hasSize(5)
                .allSatisfy(line -> assertThat(line).contains("\"n\":{\"type\":\"int\",\"value\":1}"));
        Result missing = jitney.run("export", "nowhere");
        assertThat(missing.status()).isEqualTo(3);
        assertThat(missing.err()).contains("no queue, topic or subscription 'nowhere'");
    }

    @Test
    @DisplayName("HTTP 1.4: a wrong key is refused with advice and not printed; a signature is accepted")
    void keys() {
        Result wrong = Commands.on(server)
                .with("JITNEY_CONNECTION_STRING", server.connectionString().replace("SAS_KEY_VALUE", "WRONG"))
                .run("queue", "list");
        assertThat(wrong.status()).isEqualTo(1);
        assertThat(wrong.errors())
                .singleElement()
                .asString()
                .contains("The server refused the key", "Check SharedAccessKeyName")
                .doesNotContain("WRONG");
        // Vector of HTTP 1.4 with the audience "localhost". It has expired, which only a server that accepted its form
        // reports.
        Result signature = Commands.on(server)
                .with(
                        "JITNEY_CONNECTION_STRING",
                        "Endpoint=sb://localhost;SharedAccessSignature=SharedAccessSignature sr=localhost"
                                + "&sig=itpEPYMC1vuq0MbzeSEaQcwEyE058PLftrqlVlL8wQo%3D&se=1&skn=RootManageSharedAccessKey;"
                                + "UseDevelopmentEmulator=true")
                .run("queue", "list");
        assertThat(signature.err()).contains("The server refused the key");
    }

    private static Map<String, @Nullable Object> only(Result result) {
        List<String> lines = result.lines();
        assertThat(lines).as(result.toString()).hasSize(1);
        return Json.object(lines.get(0));
    }
}
