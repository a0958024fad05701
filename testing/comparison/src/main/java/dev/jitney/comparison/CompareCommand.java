package dev.jitney.comparison;

import dev.jitney.benchmarks.bench.Directories;
import dev.jitney.benchmarks.bench.Terminal;
import dev.jitney.comparison.broker.ArtemisBroker;
import dev.jitney.comparison.broker.Broker;
import dev.jitney.comparison.broker.JitneyBroker;
import dev.jitney.comparison.report.Report;
import dev.jitney.comparison.result.Machine;
import dev.jitney.comparison.result.ResultsFile;
import dev.jitney.comparison.result.Setting;
import dev.jitney.comparison.scenario.Rates;
import dev.jitney.comparison.scenario.Scenario;
import dev.jitney.comparison.scenario.Scenarios;
import dev.jitney.comparison.scenario.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code jitney bench compare}: measures Jitney and other brokers in alternating runs. */
@Command(
        name = "jitney bench compare",
        description = {
            "Starts Jitney and Apache ActiveMQ Artemis in turns on this machine, loads both with the same"
                    + " client, and writes"
                    + " report.md with tables, plots (SVG), and results.jsonl with all figures.",
            "testing/comparison/compare downloads Artemis and runs this command."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  Run all scenarios, with backlogs of one million and ten million messages (45 minutes):",
            "    testing/comparison/compare",
            "  Check in a few minutes that everything works:",
            "    testing/comparison/compare --smoke",
            "  Run two scenarios five times each, with Jitney alone:",
            "    jitney bench compare --scenarios both-1,both-8 --rounds 5",
            "  Write the tables and plots of earlier measurements again:",
            "    jitney bench compare --report-only --out DIRECTORY"
        })
public final class CompareCommand implements Callable<Integer> {
    @Mixin
    private Terminal terminal = new Terminal();

    @Option(
            names = "--artemis",
            paramLabel = "DIRECTORY",
            description = "Directory of the unpacked binary distribution of Artemis. Without it, only Jitney is"
                    + " measured.")
    private @Nullable Path artemis;

    @Option(
            names = "--jitney",
            paramLabel = "SCRIPT",
            description = "Script jitney that starts Jitney. Without it, the class path of this process is used.")
    private @Nullable Path jitney;

    @Option(
            names = "--scenarios",
            paramLabel = "LIST",
            split = ",",
            description = "Scenarios, separated by commas (default: all): send, receive, both-1, both-8, large,"
                    + " queues-100, fanout-10, latency-2000, latency-half, start, and backlog-1m, backlog-10m or the"
                    + " names for the sizes in --backlogs; 'backlog' stands for all of these.")
    private List<String> scenarios = new ArrayList<>();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "Number of runs of each broker in each scenario, in turns (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--backlog-rounds",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of runs of each broker with each backlog (default: ${DEFAULT-VALUE}).")
    private int backlogRounds;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "10",
            description = "Seconds to measure in a run (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "Seconds to load each broker before measuring (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "500000",
            description = "Number of messages in the scenarios send and receive (default: ${DEFAULT-VALUE}).")
    private long count;

    @Option(
            names = "--backlogs",
            paramLabel = "LIST",
            split = ",",
            defaultValue = "1000000,10000000",
            description = "Sizes of the backlogs in messages, separated by commas (default: ${DEFAULT-VALUE}).")
    private List<Long> backlogs = new ArrayList<>();

    @Option(
            names = "--idle",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description = "Seconds that a started broker stays idle before its memory is read (default:"
                    + " ${DEFAULT-VALUE}).")
    private int idle;

    @Option(
            names = "--half-rate",
            paramLabel = "N",
            defaultValue = "0",
            description = "Messages per second of latency-half. Default: half of the rate that Artemis reaches.")
    private double halfRate;

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            defaultValue = "2G",
            description = "Maximum heap of each broker (default: ${DEFAULT-VALUE}, the default of Artemis).")
    private String heap = "2G";

    @Option(
            names = "--jitney-backlog-heap",
            paramLabel = "SIZE",
            defaultValue = "512M",
            description = "Maximum heap of Jitney with a backlog (default: ${DEFAULT-VALUE}).")
    private String jitneyBacklogHeap = "512M";

    @Option(
            names = "--smoke",
            description = "Run every scenario once for a short time with few messages. The figures mean nothing.")
    private boolean smoke;

    @Option(
            names = "--out",
            paramLabel = "DIRECTORY",
            defaultValue = "jitney-compare",
            description = "Directory for the results and the report (default: ${DEFAULT-VALUE}). Earlier results there"
                    + " are"
                    + " kept; new results of a scenario replace its earlier ones.")
    private Path out = Path.of("jitney-compare");

    @Option(
            names = "--work",
            paramLabel = "DIRECTORY",
            description = "Directory on the disk that the brokers write to (default: the directory of --out).")
    private @Nullable Path work;

    @Option(names = "--report-only", description = "Write the report of earlier measurements without measuring.")
    private boolean reportOnly;

    @Override
    public Integer call() throws InterruptedException {
        Sizes sizes = sizes();
        List<Scenario> chosen = chosen(Scenarios.all(sizes));
        return terminal.attempt(() -> {
            ResultsFile results = new ResultsFile(out);
            int failed = reportOnly ? 0 : measure(sizes, chosen, results);
            new Report(results.read()).write(out);
            terminal.say("Report: %s", out.resolve(Report.FILE));
            return failed == 0 ? 0 : 1;
        });
    }

    private int measure(Sizes sizes, List<Scenario> chosen, ResultsFile results)
            throws IOException, InterruptedException {
        Files.createDirectories(out);
        Path parent = work == null ? out : Files.createDirectories(work);
        Path directory = Files.createTempDirectory(parent.toAbsolutePath(), "work-");
        Directories.deleteAtTheEnd(directory);
        try {
            List<Broker> brokers = new ArrayList<>();
            brokers.add(new JitneyBroker(jitney == null ? null : jitney.toAbsolutePath()));
            if (artemis != null) {
                brokers.add(ArtemisBroker.create(artemis.toAbsolutePath().normalize(), directory.resolve("instance")));
            }
            results.append(setting(sizes, brokers, directory));
            return new BrokerComparison(brokers, chosen, sizes, new Rates(halfRate), directory, terminal, results)
                    .run();
        } finally {
            Directories.delete(directory);
        }
    }

    private Setting setting(Sizes sizes, List<Broker> brokers, Path directory) throws IOException {
        Map<String, List<String>> setUp = new LinkedHashMap<>();
        for (Broker broker : brokers) {
            List<String> lines = new ArrayList<>(broker.settings());
            lines.add(
                    broker.name().equals(JitneyBroker.NAME)
                            ? "heap at most " + sizes.heap() + ", with a backlog " + sizes.jitneyBacklogHeap()
                            : "heap at most " + sizes.heap());
            setUp.put(broker.name() + " " + broker.version(), lines);
        }
        List<String> client = List.of(
                "the lean AMQP 1.0 client of `testing/client` on the same machine: one message per transfer, one"
                        + " accepted disposition per message, incompressible bodies of 1 KiB unless stated otherwise",
                "messages request durable storage (`durable` in their header); a send counts when it is"
                        + " accepted; receivers settle"
                        + " (`rcv-settle-mode` first, since Artemis does not offer second), so completions are stored but"
                        + " not confirmed",
                "every run on an empty broker, in turns; measured for " + sizes.seconds() + " s after "
                        + sizes.warmUpSeconds() + " s of warm-up, or " + sizes.count()
                        + " messages if only one direction is measured");
        return new Setting(
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                smoke,
                Machine.describe(directory),
                client,
                setUp);
    }

    private Sizes sizes() {
        terminal.check("--rounds", rounds, 1);
        terminal.check("--backlog-rounds", backlogRounds, 1);
        terminal.check("--seconds", seconds, 1);
        terminal.check("--warm-up", warmUp, 0);
        terminal.check("--count", count, 1);
        terminal.check("--idle", idle, 0);
        backlogs.forEach(size -> terminal.check("--backlogs", size, 10));
        for (String size : List.of(heap, jitneyBacklogHeap)) {
            if (!size.matches("\\d+[kmgKMG]?")) {
                throw terminal.bad("--heap: Expected a size such as 512M or 2G, but got '" + size + "'.");
            }
        }
        Sizes sizes = new Sizes(rounds, backlogRounds, seconds, warmUp, count, idle, backlogs, heap, jitneyBacklogHeap);
        return smoke ? sizes.smoke() : sizes;
    }

    private List<Scenario> chosen(List<Scenario> all) {
        if (scenarios.isEmpty()) {
            return all;
        }
        for (String wanted : scenarios) {
            if (all.stream().noneMatch(scenario -> isOne(scenario, wanted))) {
                throw terminal.bad("--scenarios: Expected some of "
                        + all.stream().map(Scenario::id).collect(Collectors.joining(", ")) + ", but got '" + wanted
                        + "'.");
            }
        }
        return all.stream()
                .filter(scenario -> scenarios.stream().anyMatch(wanted -> isOne(scenario, wanted)))
                .toList();
    }

    private static boolean isOne(Scenario scenario, String wanted) {
        return scenario.id().equals(wanted) || (scenario.backlog() && wanted.equals("backlog"));
    }
}
