package dev.jitney.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.support.Commands;
import dev.jitney.cli.support.LocalServer;
import dev.jitney.cli.support.Run;
import dev.jitney.cli.support.Run.Result;
import dev.jitney.cli.value.Json;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The commands {@code jitney message list} and {@code jitney message show}. */
class ListAndShowTest {
    @RegisterExtension
    static final LocalServer server = new LocalServer();

    private final Run jitney = Commands.on(server);

    @Test
    @DisplayName("A page of messages is a table, and the last line says how many there are and how to get the rest")
    void pages() throws Exception {
        String orders = server.queue();
        jitney.ok("send", orders, "x", "--count", "600", "--subject", "coffee", "--message-id", "m");

        Result page = jitney.ok("message", "list", orders);
        assertThat(page.lines().get(0)).matches("SEQUENCE +STATE +ENQUEUED +MESSAGE ID +SUBJECT +DELIVERIES +BYTES");
        assertThat(page.lines().get(1)).matches("1 +Active +\\S+Z +m-1 +coffee +0 +\\d+");
        assertThat(page.lines()).hasSize(21);
        assertThat(page.notes()).containsExactly("20 of 600 messages; --from 21 continues, --all shows the rest.");
        assertThat(jitney.ok("message", "list", orders, "--from", "591", "--max", "5")
                        .notes())
                .containsExactly("5 of 600 messages; --from 596 continues, --all shows the rest.");

        Result all = jitney.ok("message", "list", orders, "--all", "-o", "json");
        assertThat(all.lines()).hasSize(600);
        assertThat(Json.object(all.lines().get(599)))
                .containsEntry("sequenceNumber", "600")
                .containsEntry("body", "x");
        assertThat(all.notes()).containsExactly("600 messages.");
        assertThat(jitney.ok("message", "list", server.queue()).notes()).containsExactly("0 messages.");
    }

    @Test
    @DisplayName("Values that the server hides are *** for a key without Manage, and filters on them are refused")
    void hidden() throws Exception {
        AccessRule team = new AccessRule("team", Set.of(AccessRight.LISTEN), "key-of-the-team", null);
        String orders = server.queue(queue -> queue.accessRules(List.of(team)));
        jitney.ok("send", orders, "{\"secret\": 4111, \"id\": 7}");
        String key = server.connectionString()
                .replaceFirst("SharedAccessKeyName=[^;]*", "SharedAccessKeyName=team")
                .replaceFirst("SharedAccessKey=[^;]*", "SharedAccessKey=key-of-the-team");

        Result masked = jitney.ok("message", "show", orders, "1", "-o", "json", "--connection-string", key);
        assertThat(Json.object(masked.lines().get(0)))
                .containsEntry("body", "{\"secret\":\"***\",\"id\":7}")
                .containsEntry("bodyMasked", true);
        assertThat(Json.object(jitney.ok("message", "show", orders, "1", "-o", "json")
                        .lines()
                        .get(0)))
                .containsEntry("body", "{\"secret\": 4111, \"id\": 7}");
        Result refused =
                jitney.run("message", "list", orders, "--where", "json('$.secret') = 4111", "--connection-string", key);
        assertThat(refused.status()).isNotZero();
        assertThat(refused.errors()).singleElement().asString().contains("json('$.secret')", "right to Manage");
    }

    @Test
    @DisplayName("With a filter and states, the last line says how many messages were searched")
    void filters() throws Exception {
        String orders = server.queue();
        jitney.ok("send", orders, "x", "--count", "40", "--property", "color=red");
        jitney.ok("send", orders, "x", "--count", "5", "--property", "color=blue", "--property", "amount:int=7");
        jitney.ok("send", orders, "later", "--schedule", "1h");

        Result blue = jitney.ok("message", "list", orders, "--where", "color = 'blue' AND amount > 5");
        assertThat(blue.lines()).hasSize(6);
        assertThat(blue.notes()).containsExactly("5 found, 46 of 46 messages searched.");
        assertThat(jitney.ok("message", "list", orders, "--where", "color = 'red'", "--max", "10")
                        .notes()
                        .get(0))
                .startsWith("10 found so far, ")
                .contains(" of 46 messages searched. --from 11 continues");
        assertThat(jitney.ok("message", "list", orders, "--state", "scheduled").lines())
                .hasSize(2);
        assertThat(jitney.ok("message", "list", orders, "--where", "amount + color > 5")
                        .notes())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("The filter failed for 5 messages, which are not included.");

        Result wrong = jitney.run("message", "list", orders, "--where", "color = = 'red'");
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.errors()).singleElement().asString().contains("line 1, column 9", "SQL filter");
    }

    @Test
    @DisplayName("Dead letters have a column with their reason")
    void deadLetters() throws Exception {
        String orders = server.queue();
        jitney.ok("send", orders, "x");
        jitney.ok("message", "dead-letter", orders, "1", "--reason", "Invalid", "--description", "no address");
        for (List<String> named : List.of(List.of(orders + "/dlq"), List.of(orders, "--dlq"))) {
            Result dead = jitney.ok(
                    java.util.stream.Stream.concat(java.util.stream.Stream.of("message", "list"), named.stream())
                            .toArray(String[]::new));
            assertThat(dead.lines().get(0)).endsWith("REASON");
            assertThat(dead.lines().get(1)).endsWith("Invalid");
        }
    }

    @Test
    @DisplayName("One message is shown with its properties, their types, and a body of JSON with a value on each line")
    void shows() throws Exception {
        String orders = server.queue();
        jitney.ok(
                "send", orders, "{\"id\":1.50,\"lines\":[true]}", "--property", "cups:int=2", "--property", "kind=tea");
        Result shown = jitney.ok("message", "show", orders, "1");
        assertThat(shown.out())
                .containsPattern("sequenceNumber +1\n")
                .containsPattern("state +Active\n")
                .containsPattern("applicationProperties\n")
                .containsPattern("  cups +2 \\(int\\)\n")
                .containsPattern("  kind +tea\n")
                .endsWith("body\n{\n  \"id\" : 1.50,\n  \"lines\" : [\n    true\n  ]\n}\n");

        Map<String, @Nullable Object> document = Json.object(
                jitney.ok("message", "show", orders, "1", "-o", "json").lines().get(0));
        assertThat(document).containsEntry("body", "{\"id\":1.50,\"lines\":[true]}");

        Result missing = jitney.run("message", "show", orders, "9");
        assertThat(missing.status()).isEqualTo(3);
        assertThat(missing.errors())
                .singleElement()
                .asString()
                .startsWith("jitney: There is no message with the sequence number 9.");
        assertThat(jitney.run("message", "show", "nowhere", "1").status()).isEqualTo(3);
    }

    @Test
    @DisplayName("A body cannot change the terminal")
    void harmless() throws Exception {
        String orders = server.queue();
        jitney.ok("send", orders, "\u001b[31mred\ttab\nnext");
        assertThat(jitney.ok("message", "show", orders, "1").out()).endsWith("body\n·[31mred\ttab\nnext\n");
    }

    @Test
    @DisplayName("A wrong key is refused with advice, and Ctrl-C ends a list")
    void refusals() throws Exception {
        String orders = server.queue();
        Result unknown = Commands.anywhere()
                .with("JITNEY_ADMIN_URL", server.adminUrl())
                .with("JITNEY_CONNECTION_STRING", server.connectionString().replace("SAS_KEY_VALUE", "wrong"))
                .run("message", "list", orders);
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.err()).contains("The server refused the key", "SharedAccessKey");
        Run interrupted = Commands.on(server);
        interrupted.interruption().request();
        assertThat(interrupted.run("message", "list", orders).status()).isEqualTo(130);
    }

    @Test
    @DisplayName("Dead letters are counted in groups of the same cause, the largest first")
    void groups() throws Exception {
        String orders = server.queue();
        jitney.ok("send", orders, "x", "--count", "5");
        jitney.ok("message", "dead-letter", orders, "1", "2", "--reason", "Late", "--description", "after 5 s");
        jitney.ok("message", "dead-letter", orders, "3", "--reason", "Late", "--description", "after 17 s");
        jitney.ok("message", "dead-letter", orders, "4", "--reason", "Broken");

        Result groups = jitney.ok("dlq", "groups", orders);
        assertThat(groups.lines()).hasSize(3);
        assertThat(groups.lines().get(1)).matches("3 +Late +after # s .*Z +\\S+Z +3 +\\S* *[0-9a-f]{16}");
        assertThat(groups.lines().get(2)).matches("1 +Broken .*");
        assertThat(groups.notes()).containsExactly("2 groups, 4 of 4 messages searched.");
        String group = groups.lines().get(1).replaceAll(".* ", "");
        assertThat(jitney.ok("dlq", "note", orders, group, "BUG-123, on hold").notes())
                .first()
                .asString()
                .contains("has a note now");
        assertThat(jitney.ok("dlq", "groups", orders).lines().get(1)).contains("BUG-123, on hold");
        jitney.ok("dlq", "note", orders, group, "--delete");
        assertThat(jitney.ok("dlq", "groups", orders).lines().get(1)).doesNotContain("BUG-123");
        assertThat(jitney.ok("dlq", "groups", orders, "--where", "DeadLetterReason = 'Broken'")
                        .notes())
                .containsExactly("1 group, 4 of 4 messages searched.");
    }
}
