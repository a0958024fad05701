package dev.jitney.cli.entity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.support.FakeAdministration;
import dev.jitney.cli.support.Run;
import dev.jitney.cli.support.Run.Result;
import dev.jitney.cli.value.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The requests of the commands on entities, and how they read responses. */
class EntityCommandsTest {
    @RegisterExtension
    static final FakeAdministration administration = new FakeAdministration();

    private Run jitney;

    @BeforeEach
    void clear() {
        administration.clear();
        jitney = administration.run();
    }

    @Test
    @DisplayName("HTTP 2.7, PART-23: every property of a queue, partitioning included, has an option and is shown under"
            + " its name")
    void queueProperties() {
        jitney.ok("queue", "create", "target");
        jitney.ok(
                "queue",
                "create",
                "orders",
                "--lock-duration",
                "30s",
                "--max-delivery-count=3",
                "--default-message-time-to-live",
                "P14D",
                "--dead-lettering-on-message-expiration",
                "--requires-session",
                "true",
                "--requires-duplicate-detection",
                "--duplicate-detection-history-time-window",
                "1h",
                "--max-size-in-megabytes",
                "2048",
                "--max-message-size-in-kilobytes",
                "1024",
                "--auto-delete-on-idle",
                "7d",
                "--forward-to",
                "target",
                "--forward-dead-lettered-messages-to",
                "target",
                "--status",
                "send-disabled",
                "--enable-batched-operations",
                "false",
                "--enable-partitioning",
                "--user-metadata",
                "mine & yours");
        Map<String, Object> shown = only(jitney.ok("queue", "show", "orders", "-o", "json"));
        assertThat(shown)
                .containsEntry("name", "orders")
                .containsEntry("lockDuration", "PT30S")
                .containsEntry("maxDeliveryCount", 3L)
                .containsEntry("defaultMessageTimeToLive", "P14D")
                .containsEntry("deadLetteringOnMessageExpiration", true)
                .containsEntry("requiresSession", true)
                .containsEntry("requiresDuplicateDetection", true)
                .containsEntry("duplicateDetectionHistoryTimeWindow", "PT1H")
                .containsEntry("maxSizeInMegabytes", 2048L)
                .containsEntry("maxMessageSizeInKilobytes", 1024L)
                .containsEntry("autoDeleteOnIdle", "P7D")
                .containsEntry("forwardTo", "target")
                .containsEntry("forwardDeadLetteredMessagesTo", "target")
                .containsEntry("status", "SendDisabled")
                .containsEntry("enableBatchedOperations", false)
                .containsEntry("enablePartitioning", true)
                .containsEntry("userMetadata", "mine & yours")
                .containsEntry("messageCount", 6L)
                .containsEntry("activeMessageCount", 3L)
                .containsEntry("deadLetterMessageCount", 2L)
                .containsEntry("scheduledMessageCount", 1L)
                .containsEntry("sizeInBytes", 42L)
                .containsEntry("createdAt", "2026-11-20T10:00:00Z")
                .doesNotContainKey("accessedAt");
    }

    @Test
    @DisplayName("HTTP 2.7: an omitted property has the service's default, not the SDK's")
    void defaults() {
        jitney.ok("queue", "create", "orders");
        jitney.ok("topic", "create", "events");
        assertThat(sent("PUT orders"))
                .contains("<DuplicateDetectionHistoryTimeWindow>PT10M<", "<LockDuration>PT1M<")
                .doesNotContain("MaxMessageSizeInKilobytes");
        assertThat(sent("PUT events"))
                .contains("<DuplicateDetectionHistoryTimeWindow>PT10M<", "<SupportOrdering>true<");
        assertThat(jitney.ok("queue", "show", "orders").lines()).contains("defaultMessageTimeToLive             never");
    }

    @Test
    @DisplayName("PART-5, C-24: EnablePartitioning is sent only if the user sets it")
    void partitioning() {
        jitney.ok("queue", "create", "unsaid");
        jitney.ok("topic", "create", "unsaid-topic");
        jitney.ok("queue", "create", "yes", "--enable-partitioning");
        jitney.ok("queue", "create", "no", "--enable-partitioning", "false");
        jitney.ok("topic", "create", "no-topic", "--enable-partitioning=false");
        assertThat(sent("PUT unsaid")).contains("<QueueDescription").doesNotContain("EnablePartitioning");
        assertThat(sent("PUT unsaid-topic")).contains("<TopicDescription").doesNotContain("EnablePartitioning");
        assertThat(sent("PUT yes")).contains("<EnablePartitioning>true<");
        assertThat(sent("PUT no")).contains("<EnablePartitioning>false<");
        assertThat(sent("PUT no-topic")).contains("<EnablePartitioning>false<");
        assertThat(only(jitney.ok("queue", "show", "yes", "-o", "json"))).containsEntry("enablePartitioning", true);
    }

    @Test
    @DisplayName("update changes only the given properties; empty text removes a value")
    void update() {
        jitney.ok("queue", "create", "other");
        jitney.ok(
                "queue", "create", "orders", "--forward-to", "other", "--user-metadata", "x", "--lock-duration", "30s");
        Map<String, Object> before = only(jitney.ok("queue", "show", "orders", "-o", "json"));
        Map<String, Object> after = only(
                jitney.ok("queue", "update", "orders", "--forward-to", "", "--max-delivery-count", "5", "-o", "json"));
        assertThat(after)
                .containsEntry("maxDeliveryCount", 5L)
                .containsEntry("lockDuration", "PT30S")
                .containsEntry("userMetadata", "x")
                .doesNotContainKey("forwardTo");
        before.keySet().removeAll(List.of("forwardTo", "maxDeliveryCount"));
        assertThat(only(jitney.ok("queue", "show", "orders", "-o", "json"))).containsAllEntriesOf(before);
    }

    @Test
    @DisplayName("HTTP 2.4: a subscription's time to live can be changed, and other changes keep it")
    void subscriptionTimeToLive() {
        jitney.ok("topic", "create", "events");
        jitney.ok("subscription", "create", "events", "billing", "--default-message-time-to-live", "1d");
        jitney.ok("subscription", "update", "events", "billing", "--max-delivery-count", "3");
        assertThat(only(jitney.ok("subscription", "show", "events", "billing", "-o", "json")))
                .containsEntry("defaultMessageTimeToLive", "P1D")
                .containsEntry("maxDeliveryCount", 3L);
        jitney.ok("subscription", "update", "events", "billing", "--default-message-time-to-live", "2h");
        assertThat(only(jitney.ok("subscription", "show", "events", "billing", "-o", "json")))
                .containsEntry("defaultMessageTimeToLive", "PT2H");
    }

    @Test
    @DisplayName("Lists read all pages and print columns or JSON lines")
    void lists() {
        for (int i = 1; i <= 8; i++) {
            jitney.ok("queue", "create", "q" + i);
        }
        List<String> table = jitney.ok("queue", "list").lines();
        assertThat(table).hasSize(9);
        assertThat(table.get(0)).isEqualTo("NAME  STATUS  ACTIVE  DEAD LETTER  SCHEDULED  TRANSFER  TOTAL  BYTES");
        assertThat(table.get(1)).isEqualTo("q1    Active  3       2            1          0         6      42");
        assertThat(jitney.ok("queue", "list", "--output", "json").lines())
                .hasSize(8)
                .allSatisfy(line -> assertThat(Json.object(line)).containsEntry("activeMessageCount", 3L));
        Result none = jitney.ok("topic", "list");
        assertThat(none.out()).isEmpty();
        assertThat(none.err().strip()).isEqualTo("There are no topics.");
    }

    @Test
    @DisplayName("Rules: SQL with parameters, correlation, all and none, an action, and their changes")
    void rules() {
        jitney.ok("topic", "create", "events");
        jitney.ok("subscription", "create", "events", "billing");
        jitney.ok(
                "rule",
                "create",
                "events",
                "billing",
                "eu",
                "--correlation",
                "region=eu",
                "--correlation",
                "subject=new",
                "--correlation",
                "property.to=x",
                "--action",
                "SET checked = @v",
                "--action-parameter",
                "@v=yes");
        jitney.ok(
                "rule", "create", "events", "billing", "large", "--sql", "amount > @limit", "--parameter", "@limit=10");
        jitney.ok("rule", "create", "events", "billing", "nothing", "--match-none");
        jitney.ok("rule", "create", "events", "billing", "everything");

        assertThat(only(jitney.ok("rule", "show", "events", "billing", "eu", "-o", "json")))
                .isEqualTo(Map.of(
                        "topicName", "events",
                        "subscriptionName", "billing",
                        "name", "eu",
                        "filter",
                                Map.of(
                                        "type",
                                        "correlation",
                                        "subject",
                                        "new",
                                        "properties",
                                        Map.of("region", "eu", "to", "x")),
                        "action", Map.of("sqlExpression", "SET checked = @v", "parameters", Map.of("@v", "yes"))));
        assertThat(jitney.ok("rule", "list", "events", "billing").lines())
                .contains("$Default    all", "everything  all", "large       amount > @limit", "nothing     none");

        jitney.ok("rule", "update", "events", "billing", "eu", "--match-all", "--action", "");
        assertThat(only(jitney.ok("rule", "show", "events", "billing", "eu", "-o", "json")))
                .containsEntry("filter", Map.of("type", "true"))
                .doesNotContainKey("action");
        jitney.ok("rule", "delete", "events", "billing", "$Default", "--yes");
        assertThat(jitney.ok("rule", "list", "events", "billing", "-o", "json").lines())
                .hasSize(4);
    }

    @Test
    @DisplayName("A missing entity ends with status 3, an existing one with 4, both with advice")
    void missingAndExisting() {
        Result missing = jitney.run("queue", "show", "orders");
        assertThat(missing.status()).isEqualTo(3);
        assertThat(missing.errors())
                .containsExactly("jitney: There is no queue 'orders'. To see all: jitney queue list");
        assertThat(jitney.run("queue", "delete", "orders", "--yes").status()).isEqualTo(3);
        assertThat(jitney.ok("queue", "delete", "orders", "--if-there", "--yes").err())
                .contains("There was no queue 'orders'.");
        assertThat(jitney.run("subscription", "list", "events").err()).contains("There is no topic 'events'.");
        assertThat(jitney.run("rule", "show", "events", "billing", "r").status())
                .isEqualTo(3);

        jitney.ok("queue", "create", "orders");
        Result existing = jitney.run("queue", "create", "orders");
        assertThat(existing.status()).isEqualTo(4);
        assertThat(existing.errors()).singleElement().asString().contains("jitney queue update");
        jitney.ok("queue", "create", "orders", "--if-missing");
        assertThat(jitney.run("topic", "show", "orders").errors())
                .containsExactly("jitney: There is no topic 'orders'. To see all: jitney topic list");
    }

    @Test
    @DisplayName("ENT-3: delete shows the contents of an entity and requires confirmation at a terminal")
    void asks() {
        jitney.ok("queue", "create", "orders");
        jitney.ok("topic", "create", "events");
        jitney.ok("subscription", "create", "events", "billing");
        jitney.ok("subscription", "create", "events", "audit");
        jitney.ok("rule", "create", "events", "billing", "large", "--sql", "amount > 10");

        Result no = asked("no\n", "queue", "delete", "orders");
        assertThat(no.err())
                .contains("Delete queue 'orders' in localhost with everything in it: 4 messages, 2 dead letters?"
                        + " [y/N] ")
                .contains("Nothing was deleted.");
        assertThat(asked("\n", "subscription", "delete", "events", "billing").err())
                .contains(
                        "Delete subscription 'events/billing' in localhost with everything in it: 2 rules, ",
                        "messages, ")
                .contains("Nothing was deleted.");
        assertThat(asked("", "topic", "delete", "events").err())
                .contains("2 subscriptions with their rules, ", " messages, ", " dead letters? [y/N] ");
        assertThat(asked("n", "rule", "delete", "events", "billing", "large").err())
                .contains("Delete rule 'large' of subscription 'events/billing' in localhost? 1 other rule remains."
                        + " [y/N] ");
        assertThat(asked("n", "rule", "delete", "events", "audit", "$Default").err())
                .contains("It is the last rule. Without a rule the subscription receives no messages. [y/N] ");
        assertThat(administration.requests()).noneMatch(request -> request.startsWith("DELETE"));

        assertThat(asked("y\n", "rule", "delete", "events", "billing", "large").err())
                .contains("Deleted rule 'large'.");
        assertThat(asked("Yes\n", "queue", "delete", "orders").err()).contains("Deleted queue 'orders'.");
        Result missing = administration.run().questions().input("y\n").run("queue", "delete", "orders");
        assertThat(missing.status()).isEqualTo(3);
        assertThat(missing.err()).doesNotContain("[y/N]");
    }

    @Test
    @DisplayName("ENT-3: without a terminal, delete without --yes is refused before anything is sent")
    void refusesWithoutATerminal() {
        for (String command : List.of(
                "queue delete orders",
                "topic delete events",
                "subscription delete events billing",
                "rule delete events billing large --if-there")) {
            Result refused = jitney.run(command.split(" "));
            assertThat(refused.status()).as(command).isEqualTo(2);
            assertThat(refused.errors()).singleElement().asString().contains("--yes", "delete ");
        }
        assertThat(administration.requests()).isEmpty();
    }

    @Test
    @DisplayName("Dead letters are not sent with their ids to an entity that would drop them as duplicates")
    void resubmitToDuplicateDetection() {
        jitney.ok("queue", "create", "once", "--requires-duplicate-detection");
        jitney.ok("topic", "create", "once-each", "--requires-duplicate-detection");
        for (String destination : List.of("once", "once-each")) {
            Result refused = jitney.run("dlq", "resubmit", "orders", "--to", destination);
            assertThat(refused.status()).isEqualTo(2);
            assertThat(refused.errors()).singleElement().asString().contains("detects duplicates", "--new-ids");
        }
    }

    @Test
    @DisplayName("HTTP 2.10: a refusal is the server's sentence without its tracking numbers")
    void refused() {
        Result refused = jitney.run("queue", "create", "refused");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.errors())
                .containsExactly("jitney: The server refused the request (400): The value <x> is bad.");
        Result nowhere = jitney.run("queue", "create", "orders", "--forward-to", "nowhere");
        assertThat(nowhere.errors()).singleElement().asString().contains("auto forwarding destination");
    }

    private Result asked(String answer, String... command) {
        return administration.run().questions().input(answer).ok(command);
    }

    private String sent(String beginning) {
        return administration.requests().stream()
                .filter(request -> request.startsWith(beginning))
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, @Nullable Object> only(Result result) {
        assertThat(result.lines()).as(result.toString()).hasSize(1);
        return Json.object(result.lines().get(0));
    }
}
