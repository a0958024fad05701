package dev.jitney.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.support.Commands;
import dev.jitney.cli.support.LocalServer;
import dev.jitney.cli.support.Run;
import dev.jitney.cli.support.Run.Result;
import dev.jitney.cli.value.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands {@code jitney message … --job} and {@code jitney job}. */
class JobCommandsTest {
    @RegisterExtension
    static final LocalServer server = new LocalServer();

    private final Run jitney = Commands.on(server);

    /** Creates a queue with dead letters of two kinds. */
    private String deadLetters(int count) throws Exception {
        String queue = server.queue();
        for (int i = 0; i < count; i++) {
            jitney.ok("send", queue, "body", "--property", i % 2 == 0 ? "kind=even" : "kind=odd");
        }
        jitney.ok("message", "dead-letter", queue, "--all", "--reason", "Broken");
        return queue;
    }

    private static String numberOf(Result result) {
        String note = result.notes().stream()
                .filter(line -> line.startsWith("Job ") || line.startsWith("Started job "))
                .findFirst()
                .orElseThrow();
        return note.replaceAll("^(?:Started job|Job) ([0-9]+).*", "$1");
    }

    @Test
    @DisplayName("A dry run as a job counts the messages; resume changes them and waits for the end")
    void dryRun() throws Exception {
        String queue = deadLetters(4);

        Result counted = jitney.ok(
                "message", "resubmit", queue, "--where", "kind = 'even'", "--job", "--dry-run", "--note", "BUG-1");
        String id = numberOf(counted);
        assertThat(counted.notes())
                .containsExactly(
                        "Job " + id + " is ready: resubmit of '" + queue
                                + "/$DeadLetterQueue', 0 of 2 messages done, 0 refused.",
                        "To start it: jitney job resume " + id);

        Result resumed = jitney.ok("job", "resume", id);
        assertThat(resumed.notes())
                .containsExactly("Job " + id + " is done: resubmit of '" + queue
                        + "/$DeadLetterQueue', 2 of 2 messages done, 0 refused.");
        assertThat(jitney.ok("message", "list", queue).lines()).hasSize(3);

        assertThat(jitney.ok("job", "list").lines())
                .anySatisfy(line -> assertThat(line).contains(id, "done", "resubmit", queue, "BUG-1"));
        Map<String, @Nullable Object> document =
                Json.object(jitney.ok("job", "show", id, "-o", "json").lines().get(0));
        assertThat(document).containsEntry("done", 2L).containsEntry("state", "done");
    }

    @Test
    @DisplayName(
            "dlq resubmit selects with a condition on the server, counts in a dry run, and runs as a job with a canary")
    void deadLetterResubmission() throws Exception {
        String queue = deadLetters(4);

        assertThat(jitney.ok("dlq", "resubmit", queue, "--where", "kind = 'odd'", "--dry-run")
                        .notes())
                .containsExactly("Dry run: 2 messages of '" + queue
                        + "/$DeadLetterQueue' would be resubmitted. Nothing was changed.");
        assertThat(jitney.ok("dlq", "resubmit", queue, "--where", "kind = 'odd'", "--max", "1")
                        .notes())
                .containsExactly("'" + queue + "/$DeadLetterQueue': 1 resubmitted.");
        Result job = jitney.ok("dlq", "resubmit", queue, "--job", "--canary", "1", "--canary-wait", "1s");
        assertThat(job.notes())
                .contains("Job " + numberOf(job) + " is done: resubmit of '" + queue
                        + "/$DeadLetterQueue', 3 of 3 messages done, 0 refused.");
    }

    @Test
    @DisplayName("A detached job is paused, resumed and canceled by its number")
    void controlled() throws Exception {
        String queue = deadLetters(4);
        Result begun = jitney.ok("message", "resubmit", queue, "--all", "--job", "--detach", "--rate", "1");
        String id = numberOf(begun);
        assertThat(begun.notes()).containsExactly("Started job " + id + ". To see it: jitney job show " + id);

        assertThat(jitney.ok("job", "pause", id).notes().get(0)).startsWith("Job " + id + " is paused: resubmit of ");
        jitney.ok("job", "resume", id, "--detach");
        assertThat(jitney.ok("job", "cancel", id).notes().get(0)).startsWith("Job " + id + " is canceled: ");

        Result late = jitney.run("job", "resume", id);
        assertThat(late.status()).isEqualTo(1);
        assertThat(late.err()).contains("Expected a job that is paused or ready, but job " + id + " is canceled.");
        assertThat(jitney.run("job", "show", "999").status()).isEqualTo(3);
    }

    @Test
    @DisplayName("Refused messages end a job with status 1 and their reason")
    void refused() throws Exception {
        String queue = deadLetters(2);
        jitney.ok("receive", queue + "/dlq", "--max", "1", "--settle", "none");

        Result result = jitney.run("message", "delete", queue + "/dlq", "--all", "--yes", "--job");

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("1 of 2 messages done, 1 refused.").contains("is locked until");
    }

    @ParameterizedTest
    @DisplayName("Options that do not fit each other are refused before anything is sent")
    @CsvSource(delimiter = '|', textBlock = """
            --all --rate 5                        | --job: Expected it beside
            1 --job                               | --job: Expected --where or --all
            --all --job --max 5                   | --job: Expected it without --max
            --all --job --canary 1 --canary-wait x| --canary-wait:
            --all --job --canary-wait 2h          | --canary-wait: Expected 1s to 1h
            """)
    void badOptions(String options, String words) {
        List<String> arguments = new ArrayList<>(List.of("message", "resubmit", "orders"));
        arguments.addAll(List.of(options.split(" ")));
        Result result = jitney.run(arguments.toArray(String[]::new));
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains(words);
    }
}
