package dev.jitney.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.output.Screen;
import dev.jitney.cli.support.Commands;
import dev.jitney.cli.support.LocalServer;
import dev.jitney.cli.support.Run;
import dev.jitney.cli.support.Run.Result;
import dev.jitney.cli.value.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jline.terminal.Size;
import org.jline.terminal.impl.LineDisciplineTerminal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import picocli.CommandLine;

/** The command {@code jitney top}, once and live. */
class TopCommandTest {
    @RegisterExtension
    static final LocalServer server = new LocalServer();

    private final Run jitney = Commands.on(server);

    @Test
    @DisplayName("Without a terminal, one table with every entity and its rates is printed, sorted")
    void oneTable() throws Exception {
        String small = server.queue();
        String large = server.queue();
        jitney.ok("send", small, "x");
        jitney.ok("send", large, "x", "--count", "3");
        jitney.ok("receive", large, "--settle", "dead-letter", "--wait", "60s");

        Result table = jitney.ok("top", "--interval", "100ms");
        assertThat(table.lines().get(0)).contains("active messages");
        assertThat(table.lines().get(1)).matches("PATH +KIND +ACTIVE +DEAD +SCHEDULED +IN/S +OUT/S +OLDEST +RECEIVERS");
        assertThat(table.out()).doesNotContain("\u001b");
        assertThat(table.lines().stream().filter(line -> line.startsWith(large)))
                .singleElement()
                .asString()
                .matches(large + " +queue +2 +1 +0 +0.0 +0.0 +\\d+s +\\d+");
        assertThat(table.lines().indexOf(row(table, large)))
                .isLessThan(table.lines().indexOf(row(table, small)));

        List<Map<String, @Nullable Object>> documents = jitney
                .ok("top", "--once", "--interval", "100ms", "--sort", "dead", "--max", "1", "-o", "json")
                .lines()
                .stream()
                .map(Json::object)
                .toList();
        assertThat(documents)
                .singleElement()
                .satisfies(document -> assertThat(document)
                        .containsEntry("path", large)
                        .containsEntry("activeMessageCount", 2L)
                        .containsEntry("deadLetterMessageCount", 1L)
                        .containsKeys(
                                "incomingPerSecond", "outgoingPerSecond", "oldestMessageAgeSeconds", "receivers"));
    }

    private static String row(Result table, String path) {
        return table.lines().stream()
                .filter(line -> line.startsWith(path + " "))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName(
            "On a terminal the table is drawn in place, fits, keys sort it, and the terminal is restored at the end")
    void live() throws Exception {
        for (int i = 0; i < 5; i++) {
            server.queue();
        }
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        LineDisciplineTerminal terminal = new LineDisciplineTerminal("test", "xterm", shown, StandardCharsets.UTF_8);
        terminal.setSize(new Size(40, 7));
        String before = terminal.getAttributes().toString();
        Run watched = new Run((console, arguments) ->
                new CommandLine(new TopCommand(console, any -> Screen.of(terminal, true))).execute(arguments));
        CompletableFuture<Result> result = CompletableFuture.supplyAsync(() ->
                watched.run("-c", server.connectionString(), "--admin-url", server.adminUrl(), "--interval", "200ms"));

        await(shown, "more");
        terminal.processInputBytes("s".getBytes(StandardCharsets.UTF_8));
        await(shown, "sorted by in;");
        terminal.processInputBytes("q".getBytes(StandardCharsets.UTF_8));
        Result ended = result.get(60, TimeUnit.SECONDS);

        assertThat(ended.status()).as(ended.toString()).isZero();
        assertThat(ended.out()).isEmpty();
        String all = shown.toString(StandardCharsets.UTF_8);
        assertThat(all).startsWith("\u001b[?1049h").endsWith("\u001b[?1049l").contains("more", "\u001b[1mPATH");
        String[] pictures = all.split("\u001b\\[H");
        String picture = pictures[pictures.length - 1].replace("\r", "");
        assertThat(picture.lines())
                .hasSize(7)
                .allSatisfy(line -> assertThat(line.replaceAll("\u001b\\[[0-9?]*[a-zA-Z]", ""))
                        .hasSizeLessThanOrEqualTo(40));
        assertThat(terminal.getAttributes().toString()).isEqualTo(before);
    }

    private static void await(ByteArrayOutputStream shown, String text) {
        long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!shown.toString(StandardCharsets.UTF_8).contains(text)) {
            assertThat(System.nanoTime()).as("no '%s' in %s", text, shown).isLessThan(until);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    @DisplayName("Ctrl-C ends it with status 130")
    void interrupted() {
        Run run = Commands.on(server);
        run.interruption().request();
        assertThat(run.run("top", "--interval", "1h").status()).isEqualTo(130);
    }
}
