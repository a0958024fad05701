package dev.jitney.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.support.Commands;
import dev.jitney.cli.support.FakeAdministration;
import dev.jitney.cli.support.LocalServer;
import dev.jitney.cli.support.Run;
import dev.jitney.cli.support.Run.Result;
import dev.jitney.cli.value.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Export and import round trips. */
class TransferTest {
    @RegisterExtension
    static final LocalServer server = new LocalServer();

    @RegisterExtension
    static final FakeAdministration administration = new FakeAdministration();

    @TempDir
    Path dir;

    private final Run jitney = Commands.on(server);
    private Run entities;

    @BeforeEach
    void clear() {
        administration.clear();
        entities = administration.run();
    }

    @Test
    @DisplayName("Entities: missing ones are created, existing ones stay, and a second import changes nothing")
    void entities() throws Exception {
        entities.ok("queue", "create", "z-target", "--lock-duration", "30s");
        entities.ok("queue", "create", "orders", "--forward-to", "z-target", "--requires-duplicate-detection");
        entities.ok("topic", "create", "events", "--default-message-time-to-live", "1h");
        entities.ok("subscription", "create", "events", "billing", "--max-delivery-count", "2");
        entities.ok("rule", "create", "events", "billing", "large", "--sql", "amount > 10", "--action", "SET x = 1");
        entities.ok("rule", "delete", "events", "billing", "$Default", "--yes");
        String exported = entities.ok("export", "--entities").out();
        assertThat(exported.lines())
                .hasSize(4)
                .first()
                .asString()
                .startsWith("{\"kind\":\"queue\",\"name\":\"orders\"");

        administration.clear();
        Path file = Files.writeString(dir.resolve("entities.jsonl"), exported);
        assertThat(entities.ok("import", file.toString()).err())
                .contains("Entities: 4 created, 0 updated, 0 unchanged");
        assertThat(entities.ok("export", "--entities").out()).isEqualTo(exported);
        assertThat(entities.ok("import", file.toString()).err())
                .contains("Entities: 0 created, 0 updated, 4 unchanged");
        assertThat(entities.ok("rule", "list", "events", "billing", "-o", "json")
                        .lines())
                .as("a subscription is created with its rules, never with $Default")
                .hasSize(1);
    }

    @Test
    @DisplayName("Entities: differences are reported, and changed with --update; fixed properties are reported as"
            + " fixed")
    void updates() throws Exception {
        entities.ok("queue", "create", "orders", "--lock-duration", "30s", "--user-metadata", "x");
        entities.ok("topic", "create", "events");
        entities.ok("subscription", "create", "events", "billing");
        entities.ok("rule", "create", "events", "billing", "r", "--sql", "a = 1");
        String exported = entities.ok("export", "--entities").out();
        Path file = Files.writeString(dir.resolve("entities.jsonl"), exported);
        entities.ok("queue", "update", "orders", "--lock-duration", "1m", "--user-metadata", "");
        entities.ok("rule", "update", "events", "billing", "r", "--sql", "a = 2");

        Result told = entities.ok("import", file.toString());
        assertThat(told.err())
                .contains(
                        "The queue 'orders' exists with a different lockDuration, userMetadata. To change that,"
                                + " use --update.",
                        "Rule 'r' of 'events/billing' is different",
                        "1 unchanged, 2 different");
        assertThat(entities.ok("import", "--update", file.toString()).err()).contains("2 updated, 1 unchanged");
        assertThat(entities.ok("export", "--entities").out()).isEqualTo(exported);

        Files.writeString(file, "{\"kind\":\"queue\",\"name\":\"orders\",\"requiresSession\":true}");
        assertThat(entities.ok("import", "--update", file.toString()).err())
                .contains("exists with a different requiresSession, which cannot be changed", "1 updated");
    }

    @Test
    @DisplayName("A refused entity does not stop the creation of the others, but the exit status reports it")
    void refusedEntity() throws Exception {
        Path file = Files.writeString(dir.resolve("entities.jsonl"), """
                {"kind":"queue","name":"refused"}
                {"kind":"queue","name":"lost","forwardTo":"nowhere"}
                {"kind":"queue","name":"orders"}
                """);
        Result result = entities.run("import", file.toString());
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err())
                .contains("line 1: The server refused the request (400)", "line 2: ", "1 created", "2 failed");
    }

    @Test
    @DisplayName("An import that stops continues with the first entity that waits for another one")
    void stoppedBeforeAWaitingEntity() throws Exception {
        List<String> lines = new ArrayList<>(List.of(
                "{\"kind\":\"queue\",\"name\":\"first\"}",
                "{\"kind\":\"queue\",\"name\":\"orders\",\"forwardTo\":\"target\"}",
                "{",
                "{\"kind\":\"queue\",\"name\":\"target\"}"));
        Path file = Files.write(dir.resolve("entities.jsonl"), lines);
        Result stopped = entities.run("import", file.toString());
        assertThat(stopped.status()).isEqualTo(2);
        assertThat(stopped.err())
                .contains("1 created", "0 failed, 1 not created yet", "line 3: Expected", "--from-line 2");
        lines.set(2, "");
        Files.write(file, lines);
        assertThat(entities.ok("import", file.toString(), "--from-line", "2").err())
                .contains("2 created", "0 failed.");
    }

    @Test
    @DisplayName("Messages: all properties and every kind of body are restored")
    void messages() throws Exception {
        String from = server.queue();
        String to = server.queue();
        List<String> lines = List.of(
                "{\"kind\":\"message\",\"entity\":\"" + to + "\",\"messageId\":\"m1\",\"subject\":\"s\","
                        + "\"contentType\":\"text/plain\",\"correlationId\":\"c\",\"sessionId\":\"x\",\"partitionKey\":\"x\","
                        + "\"replyTo\":\"r\",\"replyToSessionId\":\"y\",\"to\":\"t\",\"timeToLive\":\"PT2H\","
                        + "\"userId\":\"dQ==\",\"contentEncoding\":\"gzip\",\"groupSequence\":7,"
                        + "\"applicationProperties\":{\"a\":\"text\",\"b\":{\"type\":\"int\",\"value\":5},"
                        + "\"c\":{\"type\":\"long\",\"value\":\"9007199254740993\"},\"d\":true,"
                        + "\"e\":{\"type\":\"double\",\"value\":0.1},\"f\":{\"type\":\"timestamp\",\"value\":\"2026-01-01T00:00:00Z\"},"
                        + "\"g\":{\"type\":\"uuid\",\"value\":\"6a0e6ed4-4d3c-4c88-9a0f-8f2f4d1c3a55\"},"
                        + "\"h\":{\"type\":\"binary\",\"value\":\"AAEC\"},\"i\":{\"type\":\"duration\",\"value\":\"PT1.5S\"},"
                        + "\"j\":{\"type\":\"uri\",\"value\":\"https://example.org/\"},\"k\":{\"type\":\"ubyte\",\"value\":255},"
                        + "\"l\":{\"type\":\"char\",\"value\":\"x\"},\"m\":{\"type\":\"symbol\",\"value\":\"sym\"},"
                        + "\"n\":{\"type\":\"datetime-offset\",\"value\":\"2026-01-01T00:00:01Z\"},"
                        + "\"o\":{\"type\":\"float\",\"value\":1.5},\"p\":{\"type\":\"ulong\",\"value\":\"18446744073709551615\"}},"
                        + "\"body\":\"text\"}",
                message(to, "m2", "{\"type\":\"data\",\"base64\":\"/wAB\"}"),
                message(
                        to,
                        "m3",
                        "{\"type\":\"value\",\"value\":{\"type\":\"map\",\"value\":[[\"k\",{\"type\":\"int\",\"value\":1}]]}}"),
                message(to, "m4", "{\"type\":\"value\",\"value\":\"text\"}"),
                message(to, "m5", "{\"type\":\"sequence\",\"value\":[\"a\",{\"type\":\"int\",\"value\":2},null]}"),
                message(to, "m6", "\"\""),
                message(to, "m7", "\"x\",\"scheduledEnqueueTime\":\"2099-01-01T00:00:00Z\""));
        Path file = Files.write(dir.resolve("messages.jsonl"), lines);
        assertThat(jitney.ok("import", file.toString(), "--map", to + "=" + from)
                        .err())
                .contains("Messages: 7 sent.");

        Path exported = dir.resolve("exported.jsonl");
        assertThat(jitney.ok("export", "--messages", from, "--file", exported.toString())
                        .err())
                .contains("Exported 0 entities and 7 messages");
        jitney.ok("import", exported.toString(), "--map", from + "=" + to);
        List<Map<String, @Nullable Object>> first = documents(Files.readAllLines(exported));
        List<Map<String, @Nullable Object>> second =
                documents(jitney.ok("export", "--messages", to).lines());

        for (int i = 0; i < lines.size(); i++) {
            Map<String, @Nullable Object> original = Json.object(lines.get(i));
            original.put("entity", from);
            assertThat(first.get(i))
                    .containsAllEntriesOf(original)
                    .containsKeys("sequenceNumber", "enqueuedTime", "state");
        }
        assertThat(first.get(6)).containsEntry("state", "Scheduled");
        List<String> ofTheBroker = List.of(
                "entity",
                "sequenceNumber",
                "enqueuedSequenceNumber",
                "enqueuedTime",
                "expiresAt",
                "absoluteExpiryTime",
                "creationTime");
        first.forEach(message -> message.keySet().removeAll(ofTheBroker));
        second.forEach(message -> message.keySet().removeAll(ofTheBroker));
        assertThat(second).isEqualTo(first);
    }

    @Test
    @DisplayName("A failed export leaves the file of the one before, and a complete one replaces it for its owner only")
    void exportFile() throws Exception {
        String queue = server.queue();
        jitney.ok("send", queue, "x", "--count", "2");
        Path file = Files.writeString(dir.resolve("messages.jsonl"), "the export before\n");
        Path part = dir.resolve("messages.jsonl.part");
        assertThat(jitney.run("export", "--messages", "missing-queue", "--file", file.toString())
                        .status())
                .isNotZero();
        assertThat(file).hasContent("the export before\n");
        assertThat(part).doesNotExist();

        Files.writeString(part, "what a killed export left");
        Path link = Files.createSymbolicLink(dir.resolve("link.jsonl"), file);
        jitney.ok("export", "--messages", queue, "--file", link.toString());
        assertThat(documents(Files.readAllLines(file))).hasSize(2);
        assertThat(link).isSymbolicLink();
        assertThat(part).doesNotExist();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        jitney.ok("export", "--messages", queue, "--file", "/dev/null");
    }

    @Test
    @DisplayName("Dead letters are exported with their reasons; import skips them unless an option gives a destination")
    void deadLetters() throws Exception {
        String queue = server.queue();
        jitney.ok("send", queue, "x", "--count", "3", "--message-id", "m");
        jitney.receive(queue, "--max", "2", "--settle", "dead-letter", "--reason", "Why", "--description", "because");
        jitney.receive(queue, "--settle", "defer");
        Path file = dir.resolve("messages.jsonl");
        jitney.ok("export", "--messages", queue, "--file", file.toString());
        assertThat(documents(Files.readAllLines(file)))
                .extracting(message -> message.get("entity"), message -> message.get("state"))
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(queue, "Deferred"),
                        org.assertj.core.groups.Tuple.tuple(queue + "/$DeadLetterQueue", "Active"),
                        org.assertj.core.groups.Tuple.tuple(queue + "/$DeadLetterQueue", "Active"));
        assertThat(Files.readAllLines(file).get(1))
                .contains("\"deadLetterReason\":\"Why\",\"deadLetterErrorDescription\":\"because\"");
        assertThat(jitney.ok("export", "--messages", queue, "--no-dead-letters").lines())
                .hasSize(1);

        String to = server.queue();
        assertThat(jitney.ok("import", file.toString(), "--map", queue + "=" + to)
                        .err())
                .contains("1 sent, 2 of subscriptions or dead-letter queues skipped");
        jitney.ok("import", file.toString(), "--map", queue + "=" + to, "--dead-letters", "resubmit");
        List<Map<String, @Nullable Object>> sent =
                documents(jitney.ok("peek", to, "-o", "json").lines());
        assertThat(sent)
                .hasSize(4)
                .allSatisfy(message ->
                        assertThat(message).containsEntry("state", "Active").doesNotContainKey("deadLetterReason"));
    }

    @Test
    @DisplayName("A bad line ends the import with its number; --from-line continues without sending twice")
    void badLine() throws Exception {
        String queue = server.queue();
        List<String> lines = new ArrayList<>(List.of(
                message(queue, "m1", "\"1\""),
                message(queue, "m2", "\"2\""),
                message(queue, "m3", "{\"type\":\"tree\"}"),
                message(queue, "m4", "\"4\"")));
        Path file = Files.write(dir.resolve("messages.jsonl"), lines);
        Result bad = jitney.run("import", file.toString());
        assertThat(bad.status()).isEqualTo(2);
        assertThat(bad.err())
                .contains("Messages: 2 sent.", "jitney: line 3: Expected body to be a text", "--from-line 3");
        lines.set(2, message(queue, "m3", "\"3\""));
        Files.write(file, lines);
        jitney.ok("import", file.toString(), "--from-line", "3");
        assertThat(documents(jitney.ok("peek", queue, "-o", "json").lines()))
                .extracting(message -> message.get("body"))
                .containsExactly("1", "2", "3", "4");

        for (String line : List.of("{", "[]", "{\"kind\":\"cat\"}", "{\"kind\":\"message\"}", "\u0000")) {
            Files.writeString(file, line);
            Result result = jitney.run("import", file.toString());
            assertThat(result.status()).isEqualTo(2);
            assertThat(result.err()).contains("jitney: line 1: Expected");
        }
    }

    @Test
    @DisplayName("Thousands of messages go through, in order, from standard input too")
    void many() throws Exception {
        String from = server.queue();
        String to = server.queue();
        jitney.ok("send", from, "x".repeat(2_000), "--count", "3000", "--message-id", "m");
        String exported = jitney.ok("export", "--messages", from).out();
        assertThat(exported.lines()).hasSize(3_000);
        Commands.on(server).input(exported).ok("import", "--map", from + "=" + to);
        List<String> lines = jitney.ok("peek", to, "--all", "-o", "json").lines();
        assertThat(lines).hasSize(3_000);
        assertThat(Json.object(lines.get(2_999))).containsEntry("messageId", "m-3000");
    }

    private static String message(String entity, String id, String body) {
        return "{\"kind\":\"message\",\"entity\":\"" + entity + "\",\"messageId\":\"" + id + "\",\"body\":" + body
                + "}";
    }

    private static List<Map<String, @Nullable Object>> documents(List<String> lines) {
        return lines.stream().map(Json::object).toList();
    }
}
