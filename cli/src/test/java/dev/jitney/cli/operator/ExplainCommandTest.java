package dev.jitney.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.support.Commands;
import dev.jitney.cli.support.LocalServer;
import dev.jitney.cli.support.Run;
import dev.jitney.cli.support.Run.Result;
import dev.jitney.cli.value.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code jitney explain}. */
class ExplainCommandTest {
    @RegisterExtension
    static final LocalServer server = new LocalServer();

    private final Run jitney = Commands.on(server);

    private void topic(String topic) {
        jitney.ok("topic", "create", topic);
        jitney.ok("subscription", "create", topic, "all");
        jitney.ok("subscription", "create", topic, "large");
        jitney.ok("rule", "create", topic, "large", "by-size", "--sql", "amount > 10", "--action", "SET size = 'L'");
        jitney.ok("rule", "delete", topic, "large", "$Default", "--yes");
    }

    @Test
    @DisplayName(
            "Subscriptions that get a copy are rows, and with --all the others too, with the properties that their filters read")
    void table() {
        topic("explained");
        Result large = jitney.ok("explain", "explained", "x", "--property", "amount:int=20");
        assertThat(large.lines()).hasSize(3);
        assertThat(large.lines().get(0)).matches("ENTITY +RESULT +RULE +DETAIL");
        assertThat(large.lines().get(1)).matches("explained/Subscriptions/all +stored +\\$Default");
        assertThat(large.lines().get(2)).matches("explained/Subscriptions/large +stored +by-size");
        assertThat(large.notes()).containsExactly("2 of 2 subscriptions get 2 copies.");

        Result small = jitney.ok("explain", "explained", "--property", "amount:int=3");
        assertThat(small.lines()).hasSize(2);
        assertThat(small.notes()).containsExactly("1 of 2 subscriptions gets 1 copy.");
        assertThat(jitney.ok("explain", "explained", "--property", "amount:int=3", "--all")
                        .lines())
                .hasSize(3)
                .anyMatch(line ->
                        line.matches("explained/Subscriptions/large +no match +by-size +amount is 3 \\(int\\)"));
        assertThat(jitney.ok("explain", "explained", "--all").lines())
                .anyMatch(line -> line.matches("explained/Subscriptions/large +unknown +by-size +amount is not set"));
        assertThat(jitney.ok("peek", "explained/subscriptions/all").lines()).isEmpty();
    }

    @Test
    @DisplayName("The rows of a destination begin with dots, and the JSON is the document of the server")
    void forwards() throws Exception {
        String end = server.queue();
        String start = server.queue(queue -> queue.forwardTo(end));
        Result table = jitney.ok("explain", start, "x");
        assertThat(table.lines().get(1)).matches(start + " +forwarded");
        assertThat(table.lines().get(2)).matches("\\.\\.\\. " + end + " +stored");
        assertThat(table.notes()).containsExactly("The queue accepts the message.");

        Result json = jitney.ok("explain", start, "x", "-o", "json");
        assertThat(json.lines()).hasSize(1);
        assertThat(Json.object(json.lines().get(0)))
                .containsEntry("entity", start)
                .containsEntry("accepted", true);
    }

    @Test
    @DisplayName("An existing message is chosen by its number, and options change it")
    void existing() throws Exception {
        topic("chosen");
        String queue = server.queue();
        jitney.ok("send", queue, "x", "--property", "amount:int=50");
        assertThat(jitney.ok("explain", "chosen", "--message", "1", "--from", queue)
                        .notes())
                .containsExactly("2 of 2 subscriptions get 2 copies.");
        assertThat(jitney.ok("explain", "chosen", "--message", "1", "--from", queue, "--property", "amount:int=1")
                        .notes())
                .containsExactly("1 of 2 subscriptions gets 1 copy.");
        Result missing = jitney.run("explain", "chosen", "--message", "9", "--from", queue);
        assertThat(missing.status()).isEqualTo(3);
        assertThat(missing.errors()).singleElement().asString().contains("sequence number 9");
    }

    @Test
    @DisplayName("A refusal and a duplicate are rows, and the last line has the whole reason")
    void refused(@TempDir Path directory) throws Exception {
        Path large = directory.resolve("large");
        Files.writeString(large, "x".repeat(300_000), StandardCharsets.UTF_8);
        String queue = server.queue(each -> each.requiresDuplicateDetection(true));
        Result refused = jitney.ok("explain", queue, "--file", large.toString());
        assertThat(refused.lines().get(1)).startsWith(queue).contains(" refused ");
        assertThat(refused.notes()).singleElement().asString().contains("exceeds the limit", "262144");
        jitney.ok("send", queue, "x", "--message-id", "m");
        assertThat(jitney.ok("explain", queue, "--message-id", "m").notes())
                .isEqualTo(List.of("The message would be dropped as a duplicate of the message 1."));
    }
}
