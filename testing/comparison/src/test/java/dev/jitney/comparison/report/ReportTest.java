package dev.jitney.comparison.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.comparison.result.Failure;
import dev.jitney.comparison.result.Findings;
import dev.jitney.comparison.result.ResultsFile;
import dev.jitney.comparison.result.Run;
import dev.jitney.comparison.result.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs in a file and the tables and plots made from them. */
final class ReportTest {
    @TempDir
    private Path directory;

    private ResultsFile file;

    @BeforeEach
    void begin() throws IOException {
        file = new ResultsFile(directory);
        file.append(setting(false));
    }

    @Test
    void givesMediansWithTheirSpreadAndTheQuotient() throws IOException {
        file.append(flow("both-1", "Jitney", 1, 100_000));
        file.append(flow("both-1", "Artemis", 1, 50_000));
        file.append(flow("both-1", "Artemis", 2, 40_000));
        file.append(flow("both-1", "Jitney", 2, 80_000));
        file.append(flow("both-1", "Jitney", 3, 90_000));

        assertThat(report())
                .contains(
                        "| Messages per second | Jitney | Artemis | quotient |\n|---|---:|---:|---:|\n"
                                + "| title of both-1 (`both-1`) | 90,000 (80,000 to 100,000) | 45,000 (40,000 to 50,000) | 2.00 |")
                .contains("![Messages per second](throughput.svg)")
                .contains("- `journal-type` NIO");
    }

    @Test
    void countsAScenarioThatWasMeasuredAgainOnlyAnew() throws IOException {
        file.append(flow("both-1", "Jitney", 1, 1));
        file.append(flow("send", "Jitney", 1, 2));
        file.append(setting(true));
        file.append(flow("both-1", "Jitney", 1, 3));

        assertThat(report())
                .contains("| title of both-1 (`both-1`) | 3 |", "| title of send (`send`) | 2 |")
                .containsOnlyOnce("**A smoke run: its figures mean nothing.**");
    }

    @Test
    void comparesBacklogsTenthByTenth() throws IOException {
        for (String broker : List.of("Jitney", "Artemis")) {
            file.append(new Run(
                    "backlog-1m",
                    "a backlog of 1,000,000 messages",
                    broker,
                    1,
                    Map.of("restartAcceptedMs", 1_500.0),
                    Map.of(
                            Findings.FILL_RATES, List.of(10.0, 20.0),
                            Findings.DRAIN_RATES, List.of(30.0, 40.0))));
        }

        assertThat(report())
                .contains("## A backlog of 1,000,000 messages")
                .contains("| Restart after SIGKILL to first accepted message, ms | 1,500 | 1,500 | 1.00 |")
                .contains("| 2 | 20 | 20 | 40 | 40 |");
        assertThat(Files.readString(directory.resolve("backlog-1m.svg"))).contains("<polyline", "Artemis, drain");
    }

    @Test
    void namesRunsThatFailedUntilTheirScenarioIsMeasuredAgain() throws IOException {
        file.append(flow("both-1", "Jitney", 1, 1));
        file.append(new Failure("both-1", "Artemis", 1, "closed\nby itself", true));
        file.append(new Failure("send", "Jitney", 2, "refused", false));

        assertThat(report())
                .contains("## Runs that failed")
                .contains("**`both-1`, Artemis, round 1, repeated**", "- closed\n- by itself")
                .contains("**`send`, Jitney, round 2, not repeated**", "- refused");

        file.append(setting(false));
        file.append(flow("both-1", "Jitney", 1, 1));
        assertThat(report()).doesNotContain("closed").contains("refused");
    }

    @Test
    void drawsPlotsThatAreXml() throws Exception {
        file.append(flow("a<b&c", "Jitney", 1, 100));
        file.append(flow("a<b&c", "Artemis", 1, 0));
        report();

        try (Stream<Path> files = Files.list(directory)) {
            List<Path> plots =
                    files.filter(file -> file.toString().endsWith(".svg")).toList();
            assertThat(plots)
                    .hasSize(2)
                    .allSatisfy(plot -> assertThat(bars(plot)).isGreaterThan(2));
        }
    }

    private static int bars(Path plot) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(plot.toFile())
                .getElementsByTagName("rect")
                .getLength();
    }

    @Test
    void saysWhichLineOfAFileIsBroken() throws IOException {
        Files.writeString(directory.resolve("results.jsonl"), "{\"setting\":null,\"run\":null}\n");

        assertThatThrownBy(() -> file.read()).isInstanceOf(IOException.class).hasMessageContaining("line 1 of");
    }

    private String report() throws IOException {
        new Report(file.read()).write(directory);
        return Files.readString(directory.resolve(Report.FILE));
    }

    private static Setting setting(boolean smoke) {
        return new Setting(
                "2026-01-01T00:00:00Z",
                smoke,
                List.of("2 cores"),
                List.of("lean"),
                Map.of("Artemis 2", List.of("`journal-type` NIO")));
    }

    private static Run flow(String scenario, String broker, int round, double perSecond) {
        Map<String, Double> figures = Map.of("perSecond", perSecond, "acceptedP50Ms", 1.0, "rate", 5.0);
        return new Run(scenario, "title of " + scenario, broker, round, figures, Map.of());
    }
}
