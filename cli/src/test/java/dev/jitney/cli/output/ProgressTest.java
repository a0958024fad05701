package dev.jitney.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressTest {
    @TempDir
    Path dir;

    @ParameterizedTest
    @DisplayName("The remaining time is shown in a suitable unit")
    @CsvSource({"0.2,1s left", "59.6,60s left", "120,2m left", "7300,2h2m left", "1e30,2777h47m left"})
    void left(double seconds, String told) {
        assertThat(Progress.left(seconds)).isEqualTo(told);
    }

    @Test
    @DisplayName("The line is shorter than the terminal: the bar shrinks, then disappears, then the text is cut")
    void fits() {
        assertThat(Progress.fit("half done", 0.5, 80)).isEqualTo("[############------------] half done");
        assertThat(Progress.fit("half done", 0.5, 21))
                .isEqualTo("[####----] half done")
                .hasSizeLessThan(21);
        assertThat(Progress.fit("half done", 0.5, 14)).isEqualTo("half done");
        assertThat(Progress.fit("half done", 0.5, 5)).isEqualTo("half");
        assertThat(Progress.fit("no end", -1, 80)).isEqualTo("no end");
    }

    @Test
    @DisplayName("A wait shows its reason instead of the time left, and its time does not count")
    void waits() {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        Console console = new Console(
                InputStream.nullInputStream(),
                nowhere,
                nowhere,
                Map.of(),
                false,
                false,
                false,
                Clock.systemUTC(),
                new Interruption());
        try (Progress progress = new Progress(console, "messages", 1_000)) {
            progress.add(5);
            long hour = TimeUnit.HOURS.toNanos(1);
            assertThat(progress.line(System.nanoTime() + hour)).containsPattern("199h\\d+m left  0/s");

            progress.await("the canary is being checked");
            assertThat(progress.line(System.nanoTime() + hour))
                    .contains("of 1,000  the canary is being checked  ")
                    .doesNotContain("left", "  0/s");
        }
    }

    @Test
    @DisplayName("The lines of a file are counted, including a last one without a line end; for other inputs the"
            + " count is unknown")
    void lines() throws Exception {
        Path file = dir.resolve("lines");
        Files.writeString(file, "a\nb\nc");
        assertThat(Lines.count(file)).isEqualTo(3);
        Files.writeString(file, "a\nb\n");
        assertThat(Lines.count(file)).isEqualTo(2);
        Files.writeString(file, "");
        assertThat(Lines.count(file)).isZero();
        assertThat(Lines.count(null)).isEqualTo(Progress.UNKNOWN);
        assertThat(Lines.count(dir)).isEqualTo(Progress.UNKNOWN);
        assertThat(Lines.count(dir.resolve("none"))).isEqualTo(Progress.UNKNOWN);
    }

    @Test
    @DisplayName("NO_COLOR switches colors off, unless it is empty")
    void colors() {
        assertThat(Screen.wantsColors(Map.of())).isTrue();
        assertThat(Screen.wantsColors(Map.of("NO_COLOR", ""))).isTrue();
        assertThat(Screen.wantsColors(Map.of("NO_COLOR", "1"))).isFalse();
        assertThat(Screen.none().bold("x") + Screen.none().red("y")).isEqualTo("xy");
    }
}
