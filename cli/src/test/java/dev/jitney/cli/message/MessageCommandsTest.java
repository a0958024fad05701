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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Sending, receiving, peeking and purging against a real server. */
class MessageCommandsTest {
    @RegisterExtension
    static final LocalServer server = new LocalServer();

    @TempDir
    Path dir;

    private final Run jitney = Commands.on(server);

    @Test
    @DisplayName("A sent message is peeked unchanged, received once, and then gone")
    void sendPeekReceive() throws Exception {
        String orders = server.queue();
        Result sent = jitney.ok("send", orders, "one coffee", "--property", "cups:int=1", "-p", "kind=espresso");
        assertThat(sent.out()).isEmpty();
        assertThat(sent.err().strip()).isEqualTo("Sent 1 message to '" + orders + "'.");

        List<String> table = jitney.ok("peek", orders).lines();
        assertThat(table).hasSize(2);
        assertThat(table.get(0)).startsWith("SEQUENCE  MESSAGE ID").contains("STATE", "BODY");
        assertThat(table.get(1)).startsWith("1 ").contains("Active").endsWith("one coffee");

        Map<String, Object> peeked = only(jitney.ok("peek", orders, "--output", "json"));
        assertThat(peeked).containsEntry("body", "one coffee").containsEntry("sequenceNumber", 1L);
        assertThat(peeked.get("applicationProperties"))
                .isEqualTo(Map.of("kind", "espresso", "cups", Map.of("type", "int", "value", 1L)));

        Map<String, Object> received = only(jitney.receive(orders, "-o", "json"));
        assertThat(received).containsEntry("messageId", peeked.get("messageId")).containsKey("lockedUntil");
        Result none = jitney.ok("receive", orders, "--wait", "100ms");
        assertThat(none.out()).isEmpty();
        assertThat(none.err()).contains("No message arrived from '" + orders + "' within 100ms.");
    }

    @Test
    @DisplayName("Every property that can be set is sent")
    void everyProperty() throws Exception {
        String orders = server.queue();
        jitney.ok(
                "send",
                orders,
                "{}",
                "--message-id",
                "m1",
                "--session-id",
                "s1",
                "--partition-key",
                "s1",
                "--subject",
                "new",
                "--content-type",
                "application/json",
                "--correlation-id",
                "c1",
                "--to",
                "kitchen",
                "--reply-to",
                "answers",
                "--reply-to-session-id",
                "s2",
                "--time-to-live",
                "2h",
                "-p",
                "when:timestamp=2026-01-01T00:00:00Z",
                "-p",
                "id:uuid=6a0e6ed4-4d3c-4c88-9a0f-8f2f4d1c3a55",
                "-p",
                "big:long=9007199254740993",
                "-p",
                "price:double=2.5",
                "-p",
                "paid:boolean=true",
                "-p",
                "raw:binary=AAEC",
                "-p",
                "a:b:string=c");
        Map<String, Object> message = only(jitney.ok("peek", orders, "-o", "json"));
        assertThat(message)
                .containsEntry("messageId", "m1")
                .containsEntry("sessionId", "s1")
                .containsEntry("partitionKey", "s1")
                .containsEntry("subject", "new")
                .containsEntry("contentType", "application/json")
                .containsEntry("correlationId", "c1")
                .containsEntry("to", "kitchen")
                .containsEntry("replyTo", "answers")
                .containsEntry("replyToSessionId", "s2")
                .containsEntry("timeToLive", "PT2H")
                .containsEntry("body", "{}");
        assertThat(message.get("applicationProperties"))
                .isEqualTo(Map.of(
                        "when", typed("timestamp", "2026-01-01T00:00:00Z"),
                        "id", typed("uuid", "6a0e6ed4-4d3c-4c88-9a0f-8f2f4d1c3a55"),
                        "big", typed("long", "9007199254740993"),
                        "price", typed("double", new java.math.BigDecimal("2.5")),
                        "paid", true,
                        "raw", typed("binary", "AAEC"),
                        "a:b", "c"));
    }

    @Test
    @DisplayName("A body comes from a file, from standard input, or from each line")
    void bodies() throws Exception {
        String orders = server.queue();
        Path file = Files.write(dir.resolve("body"), new byte[] {(byte) 0xff, 0, 1});
        jitney.ok("send", orders, "--file", file.toString());
        jitney.input("from input\n").ok("send", orders);
        jitney.input("first\nsecond\r\n\nfourth").ok("send", orders, "--lines", "--message-id", "line");
        jitney.ok("send", orders, "again", "--count", "3", "--message-id", "n");
        jitney.ok("send", orders, "a value", "--value");

        List<Map<String, @Nullable Object>> all = documents(jitney.ok("peek", orders, "--all", "-o", "json"));
        assertThat(all)
                .extracting(message -> message.get("body"))
                .containsExactly(
                        Map.of("type", "data", "base64", "/wAB"),
                        "from input\n",
                        "first",
                        "second",
                        "",
                        "fourth",
                        "again",
                        "again",
                        "again",
                        Map.of("type", "value", "value", "a value"));
        assertThat(all.subList(2, 9))
                .extracting(message -> message.get("messageId"))
                .containsExactly("line-1", "line-2", "line-3", "line-4", "n-1", "n-2", "n-3");
    }

    @Test
    @DisplayName("Peek reads more than one page, and receive more than one batch")
    void many() throws Exception {
        String orders = server.queue();
        String input = IntStream.rangeClosed(1, 1_200).mapToObj(String::valueOf).collect(Collectors.joining("\n"));
        assertThat(jitney.input(input).ok("send", orders, "--lines").err()).contains("Sent 1,200 messages");
        assertThat(jitney.ok("peek", orders, "--all", "-o", "json").lines()).hasSize(1_200);
        assertThat(jitney.ok("peek", orders, "--from", "1000", "--max", "300", "-o", "json")
                        .lines())
                .hasSize(201);
        assertThat(jitney.ok("peek", orders).lines()).hasSize(21);

        List<Map<String, @Nullable Object>> received = documents(jitney.receive(orders, "--max", "450", "-o", "json"));
        assertThat(received)
                .extracting(message -> message.get("body"))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 450).mapToObj(String::valueOf).toList());
        assertThat(jitney.ok("receive", orders, "--all", "--wait", "10s", "-o", "json")
                        .lines())
                .hasSize(750);
        assertThat(jitney.ok("peek", orders).err()).contains("There are no messages in '" + orders + "'.");
    }

    @Test
    @DisplayName("A message is completed, abandoned, dead-lettered, deferred or left locked, as the options say")
    void settlements() throws Exception {
        String orders = server.queue();
        jitney.ok("send", orders, "x", "--count", "5", "--message-id", "m");
        jitney.receive(orders, "--settle", "abandon");
        assertThat(only(jitney.ok("peek", orders, "--max", "1", "-o", "json"))).containsEntry("deliveryCount", 1L);
        jitney.receive(orders);
        jitney.receive(orders, "--settle", "dead-letter", "--reason", "Invalid", "--description", "no address");
        Map<String, Object> deferred = only(jitney.receive(orders, "--settle", "defer", "-o", "json"));
        jitney.receive(orders, "--settle", "none");
        jitney.receive(orders, "--mode", "receive-and-delete");

        assertThat(documents(jitney.ok("peek", orders, "-o", "json")))
                .extracting(message -> message.get("messageId"), message -> message.get("state"))
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("m-3", "Deferred"),
                        org.assertj.core.groups.Tuple.tuple("m-4", "Active"));
        assertThat(only(jitney.ok("dlq", "list", orders, "-o", "json")))
                .containsEntry("messageId", "m-2")
                .containsEntry("deadLetterReason", "Invalid")
                .containsEntry("deadLetterErrorDescription", "no address")
                .doesNotContainKey("applicationProperties");

        String number = String.valueOf(deferred.get("sequenceNumber"));
        assertThat(only(jitney.receive(orders, "--sequence-number", number, "-o", "json")))
                .containsEntry("messageId", "m-3");
        Result gone = jitney.run("receive", orders, "--sequence-number", number);
        assertThat(gone.status()).isEqualTo(3);
        assertThat(gone.errors()).singleElement().asString().startsWith("jitney: ");
    }

    @Test
    @DisplayName("Scheduled messages print their numbers and wait")
    void schedules() throws Exception {
        String orders = server.queue();
        assertThat(jitney.ok("send", orders, "later", "--schedule", "1h").out().strip())
                .isEqualTo("1");
        Map<String, Object> printed =
                only(jitney.ok("send", orders, "later", "--schedule", "2099-01-01T00:00:00Z", "--output", "json"));
        assertThat(printed).isEqualTo(Map.of("sequenceNumber", 2L, "scheduledEnqueueTime", "2099-01-01T00:00:00Z"));
        assertThat(documents(jitney.ok("peek", orders, "-o", "json")))
                .extracting(message -> message.get("state"))
                .containsExactly("Scheduled", "Scheduled");
        assertThat(jitney.run("send", orders, "x", "--schedule", "tomorrow").errors())
                .singleElement()
                .asString()
                .contains("--schedule", "10m", "'tomorrow'");
    }

    @Test
    @DisplayName("Purge deletes active, deferred and scheduled messages, and reports locked ones")
    void purges() throws Exception {
        String orders = server.queue();
        jitney.input(IntStream.range(0, 450).mapToObj(i -> "m" + i).collect(Collectors.joining("\n")))
                .ok("send", orders, "--lines");
        jitney.receive(orders, "--settle", "none");
        jitney.receive(orders, "--max", "3", "--settle", "defer");
        jitney.ok("send", orders, "later", "--schedule", "1h", "--count", "2");

        Result refused = jitney.run("purge", orders);
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.errors()).singleElement().asString().contains("--yes");

        Result some = jitney.ok("purge", orders, "--yes", "--max", "10", "-o", "json");
        assertThat(only(some)).isEqualTo(Map.of("entity", orders, "deleted", 10L, "left", 0L));

        Result all = jitney.ok("purge", orders, "--yes");
        assertThat(all.notes())
                .containsExactly("Deleted 441 messages of '" + orders
                        + "'. 1 message remains, locked by receivers or sent during the purge.");
        assertThat(jitney.ok("peek", orders, "-o", "json").lines()).hasSize(1);
    }

    @Test
    @DisplayName("Purge requires confirmation at a terminal")
    void asks() throws Exception {
        String orders = server.queue();
        jitney.ok("send", orders, "x");
        Result no = Commands.on(server).questions().input("no\n").ok("purge", orders);
        assertThat(no.err())
                .contains("Delete all messages of '" + orders + "' in localhost? [y/N]", "Nothing was deleted.");
        Result yes = Commands.on(server).questions().input("y\n").ok("purge", orders);
        assertThat(yes.err()).contains("Deleted 1 message");
    }

    @Test
    @DisplayName("Dead letters are sent again with body, properties and ids, without their dead-letter reasons")
    void resubmits() throws Exception {
        String orders = server.queue();
        jitney.ok("send", orders, "x", "--count", "3", "--message-id", "m", "-p", "n:int=1", "--subject", "s");
        jitney.receive(orders, "--max", "3", "--settle", "dead-letter", "--reason", "Why");
        assertThat(jitney.ok("dlq", "list", orders).lines().get(1)).contains("Why");

        Result one = jitney.ok("dlq", "resubmit", orders, "--max", "1", "-o", "json");
        assertThat(only(one))
                .isEqualTo(Map.of("entity", orders + "/$DeadLetterQueue", "to", orders, "resubmitted", 1L));
        Map<String, Object> again = only(jitney.ok("peek", orders, "-o", "json"));
        assertThat(again)
                .containsEntry("messageId", "m-1")
                .containsEntry("subject", "s")
                .containsEntry("body", "x")
                .containsEntry("state", "Active")
                .containsEntry("deliveryCount", 0L)
                .doesNotContainKeys("deadLetterReason", "deadLetterSource");
        assertThat(again.get("applicationProperties")).isEqualTo(Map.of("n", typed("int", 1L)));

        String other = server.queue();
        assertThat(jitney.ok("dlq", "resubmit", orders, "--to", other, "--new-ids")
                        .notes())
                .containsExactly("Resubmitted 2 messages of '" + orders + "/$DeadLetterQueue' to '" + other + "'.");
        assertThat(documents(jitney.ok("peek", other, "-o", "json")))
                .hasSize(2)
                .noneMatch(message -> String.valueOf(message.get("messageId")).startsWith("m-"));
        assertThat(jitney.ok("dlq", "list", orders).err()).contains("no dead-lettered messages");
        assertThat(jitney.ok("dlq", "purge", orders, "--yes").err()).contains("Deleted 0 messages");
    }

    @Test
    @DisplayName("After Ctrl-C the command stops and says so")
    void interrupted() throws Exception {
        String orders = server.queue();
        jitney.ok("send", orders, "x", "--count", "3");
        jitney.receive(orders, "--max", "3", "--settle", "dead-letter");
        jitney.interruption().request();
        Result resubmit = jitney.run("dlq", "resubmit", orders);
        assertThat(resubmit.status()).isEqualTo(130);
        assertThat(resubmit.err()).contains("Resubmitted 0 messages").contains("Interrupted");
        assertThat(Commands.on(server).ok("dlq", "list", orders, "-o", "json").lines())
                .hasSize(3);
    }

    @Test
    @DisplayName("TLS: --ca accepts the server's own certificate authority; without it the failure suggests it")
    void tls() throws Exception {
        String orders = server.queue();
        Run secured = Commands.anywhere().with("JITNEY_CONNECTION_STRING", server.tlsConnectionString());
        Result distrusted = secured.run("send", orders, "x");
        assertThat(distrusted.status()).isEqualTo(1);
        assertThat(distrusted.errors())
                .singleElement()
                .asString()
                .contains("Cannot reach amqps://localhost:", "--ca")
                .doesNotContain("SAS_KEY_VALUE");

        javax.net.ssl.SSLContext before = javax.net.ssl.SSLContext.getDefault();
        try {
            secured.ok("send", orders, "secret", "--ca", server.ca().toString());
        } finally {
            javax.net.ssl.SSLContext.setDefault(before);
        }
        assertThat(only(jitney.ok("peek", orders, "-o", "json"))).containsEntry("body", "secret");
    }

    @Test
    @DisplayName("A wrong key, a missing entity and a stopped server each end with one line of advice")
    void failures() throws Exception {
        String orders = server.queue();
        Result key = Commands.anywhere()
                .with("JITNEY_CONNECTION_STRING", server.connectionString().replace("SAS_KEY_VALUE", "WRONG"))
                .run("send", orders, "x");
        assertThat(key.status()).isEqualTo(1);
        assertThat(key.errors())
                .singleElement()
                .asString()
                .contains("Check SharedAccessKeyName and SharedAccessKey")
                .doesNotContain("WRONG");

        Result missing = jitney.run("peek", "nowhere");
        assertThat(missing.status()).isEqualTo(3);
        assertThat(missing.errors()).singleElement().asString().contains("nowhere", "jitney list");

        Result stopped = Commands.anywhere()
                .with(
                        "JITNEY_CONNECTION_STRING",
                        "Endpoint=sb://localhost:1;SharedAccessKeyName=n;SharedAccessKey=k;UseDevelopmentEmulator=true")
                .run("receive", orders);
        assertThat(stopped.status()).isEqualTo(1);
        assertThat(stopped.errors())
                .containsExactly("jitney: Cannot reach amqp://localhost:1: connection refused."
                        + " Start a server with: jitney server");
    }

    private static Map<String, Object> typed(String type, Object value) {
        return Map.of("type", type, "value", value);
    }

    private static Map<String, @Nullable Object> only(Result result) {
        assertThat(result.lines()).as(result.toString()).hasSize(1);
        return Json.object(result.lines().get(0));
    }

    private static List<Map<String, @Nullable Object>> documents(Result result) {
        return result.lines().stream().map(Json::object).toList();
    }
}
