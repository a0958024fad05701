package dev.jitney.benchmarks.guard;

import dev.jitney.benchmarks.bench.OwnServer;
import dev.jitney.benchmarks.bench.Terminal;
import dev.jitney.benchmarks.load.BenchResult;
import dev.jitney.benchmarks.load.Mode;
import dev.jitney.benchmarks.load.Spread;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.process.ConfigFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code jitney bench guard}: compares this build with the last release in turns, and fails if it is slower. */
@Command(
        name = "guard",
        description = {
            "Compares this build with the archive of the last release, in turns, and fails if it is slower: if the median"
                    + " ratio of the rates is below 0.93, or that of the server's processor times per message above"
                    + " 1.08.",
            "It starts both servers for each workload on temporary directories, and deletes them. Other programs must not"
                    + " use the machine meanwhile."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  Before a release, about a quarter of an hour:",
            "    jitney bench guard --baseline jitney-0.3.0.tar.gz",
            "  One workload, longer:",
            "    jitney bench guard --baseline jitney-0.3.0.tar.gz --workloads both-8 --rounds 9",
            "",
            "Exit status: 0 not slower, 1 slower or a failure, 2 invalid options."
        })
public final class GuardCommand implements Callable<Integer> {
    @Mixin
    private Terminal terminal = new Terminal();

    @Option(
            names = "--baseline",
            paramLabel = "ARCHIVE",
            description = "Archive of the last release (.tar.gz or .zip), or the directory in which you unpacked it.")
    private @Nullable Path archive;

    @Option(
            names = "--workloads",
            paramLabel = "NAME",
            split = ",",
            description = "Workloads: send, receive, both-1, both-8, large, rate-2000 (default: all).")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Runs of each server and workload (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "6",
            description = "Length of a run (default: ${DEFAULT-VALUE}).")
    private long seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "Seconds of sending and receiving on each server before the first run (default:"
                    + " ${DEFAULT-VALUE}).")
    private long warmUp;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "200000",
            description = "Messages of the backlog of receive (default: ${DEFAULT-VALUE}).")
    private long count;

    @Option(names = "--json", description = "Print one line of JSON after the text.")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        if (archive == null) {
            throw terminal.bad("--baseline: Expected the archive of the last release, but got none.");
        }
        terminal.check("--rounds", rounds, 1);
        terminal.check("--seconds", seconds, 1);
        terminal.check("--warm-up", warmUp, 0);
        terminal.check("--count", count, 1);
        List<Workload> chosen = workloads();
        Path file = archive;
        return terminal.attempt(() -> compare(file, chosen));
    }

    private List<Workload> workloads() {
        List<Workload> chosen = new ArrayList<>();
        for (String name : names) {
            chosen.add(Arrays.stream(Workload.values())
                    .filter(each -> each.label().equals(name.strip().toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow(() -> terminal.bad("--workloads: Expected some of "
                            + Arrays.stream(Workload.values())
                                    .map(Workload::label)
                                    .collect(Collectors.joining(", "))
                            + ", but got '" + name + "'.")));
        }
        return chosen.isEmpty() ? List.of(Workload.values()) : chosen;
    }

    private int compare(Path file, List<Workload> chosen) throws AmqpException, IOException, InterruptedException {
        List<Verdict> verdicts = new ArrayList<>();
        try (Baseline baseline = Baseline.open(file)) {
            terminal.say(
                    "This build over %s, medians of %d runs in turns (smallest to largest):", baseline.name(), rounds);
            String classPath = baseline.classPath();
            for (Workload workload : chosen) {
                Verdict verdict = compare(workload, classPath);
                verdicts.add(verdict);
                terminal.say("%s", verdict.text());
            }
        }
        boolean passes = verdicts.stream().allMatch(Verdict::passes);
        terminal.say(
                "%s",
                passes
                        ? "No workload is slower than the limits allow."
                        : "Slower than the limits allow: rate below " + Verdict.LEAST_RATE + " or processor time above "
                                + Verdict.MOST_PROCESSOR_TIME + ".");
        if (json) {
            terminal.out()
                    .println(verdicts.stream()
                            .map(Verdict::json)
                            .collect(Collectors.joining(",", "{\"guard\":[", "]}")));
        }
        return passes ? 0 : 1;
    }

    private Verdict compare(Workload workload, String baselineClassPath)
            throws AmqpException, IOException, InterruptedException {
        List<String> queues = List.of(ConfigFile.queue(Workload.QUEUE, OwnServer.MAX_DELIVERY_COUNT));
        double[] rates = new double[rounds];
        double[] times = new double[rounds];
        try (OwnServer before = OwnServer.startOf(baselineClassPath, queues);
                OwnServer now = OwnServer.start(queues, List.of(), List.of(), List.of())) {
            for (OwnServer each : List.of(before, now)) {
                if (warmUp > 0) {
                    run(each, Workload.BOTH_1, warmUp);
                }
            }
            for (int i = 0; i < rounds; i++) {
                // The order alternates, because the second run of a pair may find a slower disk.
                OwnServer first = i % 2 == 0 ? before : now;
                BenchResult one = run(first, workload, seconds);
                BenchResult other = run(first == before ? now : before, workload, seconds);
                BenchResult of = first == before ? one : other;
                BenchResult mine = first == before ? other : one;
                rates[i] = mine.perSecond() / of.perSecond();
                times[i] = mine.cpuMicrosPerMessage() / of.cpuMicrosPerMessage();
            }
        }
        return new Verdict(workload, new Spread(rates), new Spread(times));
    }

    private BenchResult run(OwnServer server, Workload workload, long length)
            throws AmqpException, IOException, InterruptedException {
        if (workload.needsBacklog()) {
            checked(server.run(workload.counted(Mode.SEND, count), false).measure());
        }
        BenchResult result =
                checked(server.run(workload.plan(length, count), false).measure());
        if (workload.leavesBacklog()) {
            // A send is counted when it was accepted, so there are at least as many messages.
            checked(server.run(workload.counted(Mode.RECEIVE, Math.max(1, result.accepted())), false)
                    .measure());
        }
        return result;
    }

    private static BenchResult checked(BenchResult result) throws IOException {
        if (result.trouble() != null || result.refused() > 0) {
            throw new IOException("A run failed: "
                    + (result.trouble() != null ? result.trouble() : result.refused() + " sends were refused."));
        }
        return result;
    }
}
