package dev.jitney.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.comparison.report.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command with Jitney alone. */
final class CompareCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @Test
    void measuresABacklogOverAKillAndATopicAndMakesTheReportAgain() throws IOException {
        assertThat(run("--seconds=1", "--warm-up=0", "--rounds=1", "--backlogs=2000", "--scenarios=backlog,fanout-10"))
                .as("%s%s", out, err)
                .isZero();

        String report = Files.readString(directory.resolve(Report.FILE));
        assertThat(report).contains("Restart after SIGKILL to first received message", "(`fanout-10`)", "**Jitney ");
        assertThat(directory).isDirectoryNotContaining("glob:**/work-*");

        Files.delete(directory.resolve(Report.FILE));
        assertThat(run("--report-only")).isZero();
        assertThat(directory.resolve(Report.FILE)).hasContent(report);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--scenarios=sideways", "--rounds=0", "--heap=much", "--backlogs=1"})
    void refusesWhatItCannotMeasure(String argument) {
        assertThat(run(argument)).isEqualTo(2);

        assertThat(err.toString()).startsWith(argument.substring(0, argument.indexOf('=')) + ":");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void saysThatADirectoryIsNotADistributionOfArtemis() {
        assertThat(run("--artemis=" + directory, "--scenarios=start")).isEqualTo(1);

        assertThat(out.toString()).contains("Expected the folder apache-artemis-VERSION");
    }

    @Test
    void saysThatThereIsNothingToReport() {
        assertThat(run("--report-only")).isEqualTo(1);

        assertThat(out.toString()).contains("nothing was measured there");
    }

    private int run(String... arguments) {
        CommandLine command = new CommandLine(new CompareCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
        String[] all = new String[arguments.length + 1];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "--out=" + directory;
        return command.execute(all);
    }
}
