package dev.jitney.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.support.Commands;
import dev.jitney.cli.support.LocalServer;
import dev.jitney.cli.support.Run;
import dev.jitney.cli.support.Run.Result;
import dev.jitney.cli.value.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The commands that change chosen messages. */
class MessageActsTest {
    @RegisterExtension
    static final LocalServer server = new LocalServer();

    private final Run jitney = Commands.on(server);

    private List<Map<String, @Nullable Object>> messages(String entity) {
        return jitney.ok("message", "list", entity, "--all", "-o", "json").lines().stream()
                .map(Json::object)
                .toList();
    }

    @Test
    @DisplayName("A search selects more messages than one request changes, and a dry run changes none of them")
    void resubmitsMany() throws Exception {
        String orders = server.queue();
        jitney.ok("send", orders, "x", "--count", "600", "--property", "color=red");
        jitney.ok("send", orders, "x", "--count", "3", "--property", "color=blue");
        assertThat(jitney.ok("message", "dead-letter", orders, "--all", "--reason", "Poison")
                        .notes())
                .containsExactly("'" + orders + "': 603 dead-lettered.");

        String[] reds = {"message", "resubmit", orders, "--where", "color = 'red' AND DeadLetterReason = 'Poison'"};
        assertThat(jitney.ok(with(reds, "--dry-run")).notes())
                .containsExactly("Dry run: 600 messages of '" + orders
                        + "/$DeadLetterQueue' would be resubmitted. Nothing was changed.");
        assertThat(jitney.ok(with(reds, "--max", "100")).err()).contains("100 resubmitted.");
        assertThat(jitney.ok(reds).err()).contains("500 resubmitted.");
        assertThat(messages(orders)).hasSize(600);
        assertThat(messages(orders + "/dlq")).hasSize(3);
        assertThat(jitney.ok(reds).err()).contains("0 resubmitted.");
    }

    private static String[] with(String[] words, String... more) {
        return java.util.stream.Stream.of(words, more)
                .flatMap(java.util.Arrays::stream)
                .toArray(String[]::new);
    }

    @Test
    @DisplayName("A change does not find the messages that it creates")
    void actsOnce() throws Exception {
        String orders = server.queue();
        jitney.ok("send", orders, "x", "--count", "300");
        assertThat(jitney.ok("message", "copy", orders, "--all", "--to", orders, "--new-ids")
                        .err())
                .contains("300 copied.");
        assertThat(messages(orders)).hasSize(600);
        assertThat(jitney.ok("message", "move", orders, "--all", "--to", orders).err())
                .contains("600 moved.");
        assertThat(messages(orders)).hasSize(600);
    }

    @Test
    @DisplayName("Refusals are grouped by their reason, and the status is 1")
    void refusals() throws Exception {
        String orders = server.queue();
        jitney.ok("send", orders, "x", "--count", "2");
        Result some = jitney.run("message", "delete", orders, "1", "7", "8");
        assertThat(some.status()).isEqualTo(1);
        assertThat(some.notes())
                .satisfiesExactly(
                        group -> assertThat(group)
                                .startsWith("2 refused (N = 7, 8): There is no message with the sequence number N."),
                        last -> assertThat(last).isEqualTo("jitney: '" + orders + "': 1 deleted, 2 refused."));
        Result json = jitney.run("message", "delete", orders, "2,9", "-o", "json");
        assertThat(json.lines().stream().map(Json::object))
                .extracting(result -> result.get("done"))
                .containsExactly(true, false);
        Result toMain = jitney.run("message", "move", orders, "2", "--to", "nowhere");
        assertThat(toMain.status()).isEqualTo(3);
        assertThat(toMain.err()).contains("no queue or topic 'nowhere'");
        assertThat(jitney.ok("message", "delete", orders, "2", "3", "--dry-run", "-o", "json")
                        .lines())
                .containsExactly("{\"entity\":\"" + orders + "\",\"selected\":0}");
    }

    @Test
    @DisplayName("The deletion of messages that a search selects needs a confirmation")
    void confirms() throws Exception {
        String orders = server.queue();
        jitney.ok("send", orders, "x", "--count", "3", "--property", "color=red");
        String[] delete = {"message", "delete", orders, "--where", "color = 'red'"};
        Result unasked = jitney.run(delete);
        assertThat(unasked.status()).isEqualTo(2);
        assertThat(unasked.err()).contains("--yes");
        Result no = Commands.on(server).questions().input("n\n").ok(delete);
        assertThat(no.err()).contains("Delete 3 messages of '" + orders + "'", "Nothing was deleted.");
        assertThat(messages(orders)).hasSize(3);
        assertThat(Commands.on(server).questions().input("y\n").ok(delete).err())
                .contains("3 deleted.");
        assertThat(jitney.ok(with(delete, "--yes")).err()).contains("0 deleted.");
    }

    @Test
    @DisplayName("Scheduled messages are delivered now or get another time, and locked ones are unlocked")
    void states() throws Exception {
        String orders = server.queue();
        jitney.ok("send", orders, "now");
        jitney.ok("send", orders, "later", "--schedule", "1h", "--count", "2");
        assertThat(jitney.ok("message", "reschedule", orders, "--all", "--at", "2099-01-31T12:00:00Z")
                        .err())
                .contains("2 rescheduled.");
        assertThat(messages(orders))
                .filteredOn(message -> "2099-01-31T12:00:00Z".equals(message.get("scheduledEnqueueTime")))
                .hasSize(2);
        assertThat(jitney.ok("message", "deliver-now", orders, "--all").err()).contains("2 delivered.");
        Result active = jitney.run("message", "deliver-now", orders, "1");
        assertThat(active.notes().get(0)).isEqualTo("1 refused: The message 1 is not scheduled.");

        jitney.ok("receive", orders, "--settle", "none", "--wait", "60s");
        assertThat(jitney.ok("message", "unlock", orders, "--all").err()).doesNotContain(": 0 unlocked");
        assertThat(messages(orders)).extracting(message -> message.get("state")).containsOnly("Active");
    }

    @Test
    @DisplayName("A subscription gets its own dead letters back, or its topic with --to-source")
    void subscriptions() {
        jitney.ok("topic", "create", "repair-events");
        jitney.ok("subscription", "create", "repair-events", "billing");
        jitney.ok("subscription", "create", "repair-events", "audit");
        jitney.ok("send", "repair-events", "x", "--count", "2");
        String billing = "repair-events/subscriptions/billing";
        jitney.ok("message", "dead-letter", billing, "--all");
        jitney.ok("message", "resubmit", billing, "--all", "--max", "1");
        assertThat(messages(billing)).hasSize(1);
        assertThat(messages("repair-events/subscriptions/audit")).hasSize(2);
        jitney.ok("message", "resubmit", billing, "--all", "--to-source", "--new-ids");
        assertThat(messages(billing)).hasSize(2);
        assertThat(messages("repair-events/subscriptions/audit")).hasSize(3);
    }

    @Test
    @DisplayName("Ctrl-C ends the command before it changes a message")
    void interrupted() throws Exception {
        String orders = server.queue();
        jitney.ok("send", orders, "x");
        Run run = Commands.on(server);
        run.interruption().request();
        assertThat(run.run("message", "delete", orders, "1").status()).isEqualTo(130);
        assertThat(messages(orders)).hasSize(1);
    }
}
