package dev.jitney.cli.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.support.Commands;
import dev.jitney.cli.support.LocalServer;
import dev.jitney.cli.support.Run;
import dev.jitney.cli.support.Run.Result;
import dev.jitney.cli.value.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Deletion of many messages, and cancellation of scheduled ones. */
class PurgeAndCancelTest {
    @RegisterExtension
    static final LocalServer server = new LocalServer();

    private final Run jitney = Commands.on(server);

    @Test
    @DisplayName("Active messages are purged with batch delete, deferred and scheduled ones one by one")
    void batchDelete() throws Exception {
        String orders = server.queue();
        jitney.ok("send", orders, "x", "--count", "1200");
        jitney.ok("receive", orders, "--settle", "defer", "--wait", "60s");
        jitney.ok("send", orders, "later", "--schedule", "1h");
        assertThat(jitney.ok("purge", orders, "--yes", "--max", "700").err()).contains("Deleted 700 messages");
        assertThat(batchDeleted(orders)).isEqualTo(700);
        assertThat(jitney.ok("purge", orders, "--yes").err()).contains("Deleted 501 messages");
        assertThat(batchDeleted(orders)).isEqualTo(1199);
        assertThat(jitney.ok("peek", orders, "--all").out()).isEmpty();
    }

    @Test
    @DisplayName("Messages of sessions are purged, and those of a partitioned queue, which refuses batch delete")
    void sessionsAndPartitions() throws Exception {
        String rides = server.queue(queue -> queue.requiresSession(true));
        jitney.ok("send", rides, "x", "--session-id", "a", "--count", "3");
        jitney.ok("send", rides, "x", "--session-id", "b", "--count", "2");
        assertThat(jitney.ok("purge", rides, "--yes").err()).contains("Deleted 5 messages");

        String parts = server.queue(queue -> queue.enablePartitioning(true));
        jitney.ok("send", parts, "x", "--count", "5");
        assertThat(jitney.ok("purge", parts, "--yes").err()).contains("Deleted 5 messages");
        assertThat(batchDeleted(parts)).isZero();
    }

    @Test
    @DisplayName("Dead letters are selected by /dlq, by --dlq and by their path, and purged with batch delete")
    void deadLetters() throws Exception {
        String orders = server.queue();
        jitney.ok("send", orders, "x", "--count", "3");
        for (int i = 0; i < 3; i++) {
            jitney.ok("receive", orders, "--settle", "dead-letter", "--wait", "60s");
        }
        for (List<String> named :
                List.of(List.of(orders + "/dlq"), List.of(orders, "--dlq"), List.of(orders + "/$DeadLetterQueue"))) {
            assertThat(jitney.ok(words("peek", named, "-o", "json")).lines()).hasSize(3);
        }
        assertThat(jitney.ok("receive", orders, "--dlq", "--wait", "60s").lines())
                .isNotEmpty();
        assertThat(jitney.ok("export", "--messages", orders + "/dlq").lines()).hasSize(2);
        assertThat(jitney.ok("purge", orders, "--dlq", "--yes").err())
                .contains("Deleted 2 messages of '" + orders + "/$DeadLetterQueue'");
        assertThat(jitney.ok("peek", orders + "/tdlq").err()).contains(orders + "/$Transfer/$DeadLetterQueue");
        assertThat(jitney.ok("peek", orders, "--transfer-dlq").err()).contains(orders + "/$Transfer/$DeadLetterQueue");
        assertThat(jitney.ok("dlq", "list", orders + "/tdlq").err()).contains("$Transfer");
    }

    private static String[] words(String command, List<String> entity, String... options) {
        List<String> words = new java.util.ArrayList<>(List.of(command));
        words.addAll(entity);
        words.addAll(List.of(options));
        return words.toArray(String[]::new);
    }

    @Test
    @DisplayName("Scheduled messages are canceled by number or all at once, active ones stay")
    void cancels() throws Exception {
        String orders = server.queue();
        jitney.ok("send", orders, "now");
        List<String> numbers = jitney.ok("send", orders, "later", "--schedule", "1h", "--count", "250")
                .lines();
        assertThat(numbers).hasSize(250);

        Map<String, @Nullable Object> two = Json.object(
                jitney.ok("cancel", orders, "--sequence-number", numbers.get(0) + "," + numbers.get(1), "-o", "json")
                        .lines()
                        .get(0));
        assertThat(two).containsEntry("canceled", 2L);

        Result gone = jitney.run("cancel", orders, "--sequence-number", numbers.get(0));
        assertThat(gone.status()).isEqualTo(3);
        assertThat(gone.err()).contains("no scheduled message " + numbers.get(0), "jitney peek " + orders);
        assertThat(jitney.run("cancel", orders, "--sequence-number", "1").err())
                .as("it is active")
                .contains("Canceled 0 messages", "no scheduled message 1");

        Result unasked = jitney.run("cancel", orders, "--all");
        assertThat(unasked.status()).isEqualTo(2);
        assertThat(unasked.err()).contains("--yes");
        Result no = Commands.on(server).questions().input("n\n").ok("cancel", orders, "--all");
        assertThat(no.err()).contains("Nothing was canceled.");

        assertThat(jitney.ok("cancel", orders, "--all", "--yes").err()).contains("Canceled 248 messages");
        assertThat(jitney.ok("peek", orders, "--all", "-o", "json").lines()).hasSize(1);
    }

    @Test
    @DisplayName("Scheduled messages of a topic are canceled; for a subscription the refusal names the topic")
    void cancelsOfTopics() {
        jitney.ok("topic", "create", "cancel-events");
        jitney.ok("subscription", "create", "cancel-events", "all");
        jitney.ok("send", "cancel-events", "later", "--schedule", "1h");
        Result refused = jitney.run("cancel", "cancel-events/subscriptions/all", "--all", "--yes");
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("Scheduled messages are in the topic");
        assertThat(jitney.ok("cancel", "cancel-events", "--all", "--yes").err()).contains("Canceled 1 message");
    }

    @Test
    @DisplayName("Everything in the namespace is listed with its counts, topics before their subscriptions")
    void lists() throws Exception {
        String orders = server.queue();
        jitney.ok("send", orders, "x", "--count", "2");
        jitney.ok("topic", "create", "list-events");
        jitney.ok("subscription", "create", "list-events", "billing");
        jitney.ok("send", "list-events", "x");
        List<String> table = jitney.ok("list").lines();
        assertThat(table.get(0)).matches("KIND +PATH +STATUS +ACTIVE +DEAD LETTER +SCHEDULED +TRANSFER +TOTAL +BYTES");
        assertThat(table).anyMatch(line -> line.matches("queue +" + orders + " +Active +2 .*"));
        List<Map<String, @Nullable Object>> documents = jitney.ok("list", "-o", "json").lines().stream()
                .map(Json::object)
                .toList();
        assertThat(documents.stream().map(document -> document.get("path")))
                .containsSubsequence("list-events", "list-events/subscriptions/billing");
        assertThat(documents)
                .filteredOn(document -> "list-events/subscriptions/billing".equals(document.get("path")))
                .singleElement()
                .satisfies(document -> assertThat(document)
                        .containsEntry("kind", "subscription")
                        .containsEntry("activeMessageCount", 1L));
    }

    private static long batchDeleted(String queue) throws Exception {
        String page = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(server.adminUrl() + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        return page.lines()
                .filter(line -> line.startsWith("jitney_entity_deleted_messages_total{")
                        && line.contains("entity=\"" + queue + "\""))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
