package dev.jitney.cli.message;

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
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Commands on messages with topics and subscriptions, against a real server. */
class TopicMessagesTest {
    private static int topics;

    @RegisterExtension
    static final LocalServer server = new LocalServer();

    @TempDir
    Path dir;

    private final Run jitney = Commands.on(server);
    private final String topic = "events-" + ++topics;
    private final String all = topic + "/subscriptions/all";
    private final String large = topic + "/subscriptions/large";

    @BeforeEach
    void create() {
        jitney.ok("topic", "create", topic);
        jitney.ok("subscription", "create", topic, "all");
        jitney.ok("subscription", "create", topic, "large", "--max-delivery-count", "1");
        jitney.ok("rule", "create", topic, "large", "large", "--sql", "amount > 10", "--action", "SET size = 'L'");
        jitney.ok("rule", "delete", topic, "large", "$Default", "--yes");
    }

    @Test
    @DisplayName("A message sent to a topic is peeked and received in the subscriptions whose rules match")
    void publishes() {
        assertThat(jitney.ok("send", topic, "small", "--property", "amount:int=1")
                        .err()
                        .strip())
                .isEqualTo("Sent 1 message to '" + topic + "'.");
        jitney.ok("send", topic, "large", "--property", "amount:int=11", "--message-id", "m");

        assertThat(bodies(jitney.ok("peek", all, "-o", "json"))).containsExactly("small", "large");
        Map<String, @Nullable Object> copy = only(jitney.receive(large, "-o", "json"));
        assertThat(copy).containsEntry("body", "large").containsEntry("messageId", "m");
        assertThat(copy.get("applicationProperties"))
                .isEqualTo(Map.of("amount", typed("int", 11L), "size", "L", "RuleName", "large"));
        assertThat(jitney.ok("receive", large, "--wait", "100ms").err()).contains("No message arrived from '" + large);
        assertThat(bodies(jitney.receive(all, "--max", "2", "--mode", "receive-and-delete", "-o", "json")))
                .containsExactly("small", "large");

        Map<String, @Nullable Object> shown = only(jitney.ok("subscription", "show", topic, "all", "-o", "json"));
        assertThat(shown).containsEntry("messageCount", 0L);
    }

    @Test
    @DisplayName("Messages of a subscription are abandoned, deferred, received by number and dead-lettered")
    void settles() {
        jitney.ok("send", topic, "x", "--count", "3", "--message-id", "m");
        jitney.receive(all, "--settle", "abandon");
        assertThat(only(jitney.ok("peek", all, "--max", "1", "-o", "json"))).containsEntry("deliveryCount", 1L);
        Map<String, @Nullable Object> deferred = only(jitney.receive(all, "--settle", "defer", "-o", "json"));
        String number = String.valueOf(deferred.get("sequenceNumber"));
        jitney.receive(all, "--settle", "dead-letter", "--reason", "Invalid");
        assertThat(only(jitney.receive(all, "--sequence-number", number, "-o", "json")))
                .containsEntry("messageId", "m-1");
        assertThat(only(jitney.ok("dlq", "list", all, "-o", "json")))
                .containsEntry("messageId", "m-2")
                .containsEntry("deadLetterReason", "Invalid");
        assertThat(only(jitney.ok("peek", all + "/$DeadLetterQueue", "-o", "json")))
                .containsEntry("messageId", "m-2");
        assertThat(only(jitney.receive(all + "/$deadletterqueue", "-o", "json")))
                .containsEntry("messageId", "m-2");
    }

    @Test
    @DisplayName("Dead letters of a subscription go to the entity in --to, and to the topic only if --to names it")
    void resubmits() throws Exception {
        String again = server.queue();
        jitney.ok("send", topic, "x", "--count", "2", "--property", "amount:int=11", "--message-id", "m");
        jitney.receive(large, "--max", "2", "--settle", "abandon");
        assertThat(jitney.ok("dlq", "list", large).lines().get(1)).contains("MaxDeliveryCountExceeded");

        Result unsaid = jitney.run("dlq", "resubmit", large);
        assertThat(unsaid.status()).isEqualTo(2);
        assertThat(unsaid.errors()).singleElement().asString().contains("--to", topic, "every subscription");

        assertThat(jitney.ok("dlq", "resubmit", large, "--max", "1", "--to", again)
                        .notes())
                .containsExactly("Resubmitted 1 message of '" + large + "/$DeadLetterQueue' to '" + again + "'.");
        assertThat(bodies(jitney.ok("peek", again, "-o", "json"))).containsExactly("x");
        jitney.ok("dlq", "resubmit", large, "--to", topic);
        assertThat(jitney.ok("peek", all, "-o", "json").lines()).hasSize(3);
        assertThat(only(jitney.ok("peek", large, "-o", "json"))).doesNotContainKey("deadLetterReason");
        assertThat(jitney.run("dlq", "resubmit", large, "--to", all).err()).contains("Expected a queue or topic");
    }

    @Test
    @DisplayName("Purge empties a subscription or its dead letters, and deletes scheduled messages of a topic")
    void purges() {
        jitney.ok("send", topic, "x", "--count", "30", "--property", "amount:int=11");
        jitney.receive(all, "--max", "2", "--settle", "defer");
        jitney.receive(large, "--max", "3", "--settle", "abandon");
        jitney.ok("send", topic, "later", "--schedule", "1h", "--count", "4");

        assertThat(only(jitney.ok("purge", all, "--yes", "-o", "json")))
                .isEqualTo(Map.of("entity", all, "deleted", 30L, "left", 0L));
        assertThat(jitney.ok("dlq", "purge", large, "--yes").err())
                .contains("Deleted 3 messages of '" + large + "/$DeadLetterQueue'.");
        assertThat(jitney.ok("peek", large, "--all", "-o", "json").lines()).hasSize(27);

        assertThat(bodies(jitney.ok("peek", topic, "-o", "json"))).containsExactly("later", "later", "later", "later");
        assertThat(only(jitney.ok("topic", "show", topic, "-o", "json"))).containsEntry("scheduledMessageCount", 4L);
        assertThat(jitney.ok("purge", topic, "--yes").notes())
                .containsExactly("Deleted 4 messages of '" + topic + "'.");
        assertThat(only(jitney.ok("topic", "show", topic, "-o", "json"))).containsEntry("scheduledMessageCount", 0L);
    }

    @Test
    @DisplayName("Receiving from a topic and sending to a subscription are refused with the right address")
    void refuses() {
        jitney.ok("send", topic, "x");
        for (String[] command : new String[][] {
            {"receive", topic, "--wait", "60s"},
            {"dlq", "list", topic},
            {"dlq", "resubmit", topic},
            {"dlq", "purge", topic, "--yes"},
            {"peek", topic + "/$DeadLetterQueue"},
        }) {
            Result refused = jitney.run(command);
            assertThat(refused.status()).as(String.join(" ", command)).isEqualTo(1);
            assertThat(refused.errors())
                    .as(String.join(" ", command))
                    .singleElement()
                    .asString()
                    .isEqualTo("jitney: '" + topic + "' is a topic. Its messages are in its subscriptions: " + topic
                            + "/subscriptions/NAME. See: jitney subscription list " + topic);
        }
        Result send = jitney.run("send", all, "x");
        assertThat(send.status()).isEqualTo(2);
        assertThat(send.err()).contains("Expected a queue or topic to send to, but got '" + all + "'.");
        Result missing = jitney.run("peek", topic + "/subscriptions/nobody");
        assertThat(missing.status()).isEqualTo(3);
        assertThat(missing.err()).contains("TOPIC/subscriptions/NAME");
    }

    @Test
    @DisplayName("FWD-1, FWD-7: a subscription with ForwardTo forwards its messages to a queue, from the next"
            + " message on")
    void forwards() throws Exception {
        String target = server.queue();
        String onward = topic + "/subscriptions/onward";
        jitney.ok("subscription", "create", topic, "onward", "--auto-delete-on-idle", "1h");
        jitney.ok("subscription", "update", topic, "onward", "--forward-to", target);
        jitney.ok("send", topic, "x");
        assertThat(bodies(jitney.receive(target, "-o", "json"))).containsExactly("x");
        assertThat(jitney.run("receive", onward, "--wait", "60s").status()).isEqualTo(1);
        jitney.ok("subscription", "update", topic, "onward", "--forward-to", "");
        jitney.ok("send", topic, "stays");
        assertThat(bodies(jitney.receive(onward, "-o", "json"))).containsExactly("stays");
    }

    @Test
    @DisplayName("Export includes a topic's scheduled messages, those of its subscriptions, and dead letters")
    void exports() throws Exception {
        jitney.ok("send", topic, "x", "--count", "2", "--property", "amount:int=11", "--message-id", "m");
        jitney.receive(large, "--settle", "abandon");
        jitney.ok("send", topic, "later", "--schedule", "2099-01-01T00:00:00Z", "--message-id", "s");
        Path file = dir.resolve("topic.jsonl");

        Result exported = jitney.ok("export", topic, "--file", file.toString());
        assertThat(exported.err()).contains("Exported 3 entities and 5 messages");
        List<Tuple> expected = List.of(
                Tuple.tuple(topic, "s", "Scheduled"),
                Tuple.tuple(all, "m-1", "Active"),
                Tuple.tuple(all, "m-2", "Active"),
                Tuple.tuple(large, "m-2", "Active"),
                Tuple.tuple(large + "/$DeadLetterQueue", "m-1", "Active"));
        assertThat(messages(Files.readAllLines(file)))
                .extracting(m -> m.get("entity"), m -> m.get("messageId"), m -> m.get("state"))
                .containsExactlyElementsOf(expected);
        assertThat(messages(jitney.ok("export", "--messages", topic).lines()))
                .extracting(m -> m.get("entity"), m -> m.get("messageId"), m -> m.get("state"))
                .containsExactlyElementsOf(expected);
        assertThat(messages(jitney.ok("export", "--messages", large, "--no-dead-letters")
                        .lines()))
                .extracting(m -> m.get("messageId"))
                .containsExactly("m-2");

        jitney.ok("topic", "delete", topic, "--yes");
        assertThat(jitney.ok("import", file.toString()).err())
                .contains("Entities: 3 created", "Messages: 1 sent, 4 of subscriptions or dead-letter queues skipped");
        assertThat(bodies(jitney.ok("peek", topic, "-o", "json"))).containsExactly("later");
        jitney.ok("import", "--messages", file.toString(), "--map", large + "=" + topic);
        assertThat(bodies(jitney.ok("peek", all, "-o", "json"))).containsExactly("x");
    }

    private static Map<String, Object> typed(String type, Object value) {
        return Map.of("type", type, "value", value);
    }

    private static List<Object> bodies(Result result) {
        return result.lines().stream()
                .map(line -> (Object) Json.object(line).getOrDefault("body", ""))
                .toList();
    }

    private static List<Map<String, @Nullable Object>> messages(List<String> lines) {
        return lines.stream()
                .map(Json::object)
                .filter(document -> "message".equals(document.get("kind")))
                .toList();
    }

    private static Map<String, @Nullable Object> only(Result result) {
        assertThat(result.lines()).as(result.toString()).hasSize(1);
        return Json.object(result.lines().get(0));
    }
}
