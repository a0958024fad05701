package dev.jitney.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.support.Commands;
import dev.jitney.cli.support.LocalServer;
import dev.jitney.cli.support.Run;
import dev.jitney.cli.support.Run.Result;
import dev.jitney.cli.value.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code jitney message edit}. */
class EditMessageTest {
    @RegisterExtension
    static final LocalServer server = new LocalServer();

    @TempDir
    Path dir;

    private final Run jitney = Commands.on(server);

    private Map<String, @Nullable Object> message(String entity, String number) {
        return Json.object(jitney.ok("message", "show", entity, number, "-o", "json")
                .lines()
                .get(0));
    }

    @Test
    @DisplayName("A dead letter is repaired and returns to its queue; the rest of it stays as it was")
    void repairs() throws Exception {
        String orders = server.queue();
        jitney.ok(
                "send",
                orders,
                "{\"amount\": \"12,5\"}",
                "--property",
                "color=red",
                "--property",
                "error=yes",
                "--correlation-id",
                "c1");
        jitney.ok("message", "dead-letter", orders, "1", "--reason", "Invalid");

        Result edited = jitney.ok(
                "message",
                "edit",
                orders + "/dlq",
                "1",
                "--body",
                "{\"amount\": 12.5}",
                "--set",
                "attempts:int=3",
                "--set",
                "at:timestamp=2026-01-31T12:00:00Z",
                "--remove",
                "error",
                "--subject",
                "repaired");
        assertThat(edited.notes())
                .containsExactly("Sent the changed message to '" + orders + "' with the sequence number 2. The original"
                        + " was removed from '" + orders + "/$DeadLetterQueue'.");
        assertThat(message(orders, "2"))
                .containsEntry("body", "{\"amount\": 12.5}")
                .containsEntry("subject", "repaired")
                .containsEntry("correlationId", "c1")
                .doesNotContainKey("deadLetterReason")
                .extractingByKey("applicationProperties")
                .isEqualTo(Map.of(
                        "color", "red",
                        "attempts", Map.of("type", "int", "value", 3L),
                        "at", Map.of("type", "timestamp", "value", "2026-01-31T12:00:00Z")));
        assertThat(jitney.ok("message", "list", orders, "--dlq").notes()).containsExactly("0 messages.");
    }

    @Test
    @DisplayName("Changes come from files and from standard input, options override them, and the original may stay")
    void files() throws Exception {
        String orders = server.queue();
        String bills = server.queue();
        jitney.ok("send", orders, "x", "--subject", "old", "--correlation-id", "c1");
        Path body = Files.write(dir.resolve("body.bin"), new byte[] {(byte) 0xff, 1});
        Result edited = Commands.on(server)
                .input(
                        "{\"subject\": \"file\",\n \"correlationId\": null, \"applicationProperties\": {\"a\": {\"type\": \"int\", \"value\": 1}}}")
                .ok(
                        "message",
                        "edit",
                        orders,
                        "1",
                        "--changes",
                        "-",
                        "--body-file",
                        body.toString(),
                        "--subject",
                        "option",
                        "--set",
                        "b=2",
                        "--to",
                        bills,
                        "--keep-original",
                        "-o",
                        "json");
        assertThat(Json.object(edited.lines().get(0))).containsEntry("newSequenceNumber", "1");
        assertThat(edited.err()).contains("is still in");
        assertThat(message(bills, "1"))
                .containsEntry("subject", "option")
                .doesNotContainKey("correlationId")
                .containsEntry("body", Map.of("type", "data", "base64", "/wE="));
        assertThat(message(bills, "1").get("applicationProperties").toString()).contains("a=", "b=2");
        assertThat(message(orders, "1")).containsEntry("body", "x");

        Result wrong =
                Commands.on(server).input("{\"colour\": 1}").run("message", "edit", orders, "1", "--changes", "-");
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err()).contains("colour");
        Result missing = jitney.run("message", "edit", orders, "9", "--body", "y");
        assertThat(missing.status()).isEqualTo(3);
        assertThat(missing.err()).contains("There is no message with the sequence number 9");
    }
}
