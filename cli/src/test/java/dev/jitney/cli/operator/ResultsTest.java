package dev.jitney.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Interruption;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Refusals by their reason. */
class ResultsTest {
    @Test
    @DisplayName("Reasons that differ only in the number and the time of a message are one reason")
    void groups() {
        Results results = new Results();
        for (int number = 1; number <= 1_000; number++) {
            results.add(Map.of("sequenceNumber", String.valueOf(number), "done", true));
        }
        for (int number = 1_001; number <= 1_007; number++) {
            results.add(refused(
                    number, "The message " + number + " is locked until 2026-11-28T03:00:0" + number % 10 + ".123Z."));
        }
        results.add(refused(2, "The message 2 is not scheduled."));

        assertThat(results.done()).isEqualTo(1_000);
        assertThat(results.refused()).isEqualTo(8);
        assertThat(noted(results))
                .isEqualToNormalizingNewlines("7 refused (N = 1001, 1002, 1003, 1004, 1005, …): The message N is locked"
                        + " until TIME.\n1 refused: The message 2 is not scheduled.\n");
    }

    private static Map<String, Object> refused(int number, String message) {
        return Map.of("sequenceNumber", String.valueOf(number), "done", false, "status", 400L, "message", message);
    }

    private static String noted(Results results) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        results.noteRefusals(new Console(
                new ByteArrayInputStream(new byte[0]),
                stream,
                stream,
                Map.of(),
                false,
                false,
                false,
                Clock.systemUTC(),
                new Interruption()));
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
