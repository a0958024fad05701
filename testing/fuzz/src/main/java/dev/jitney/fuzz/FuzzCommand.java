package dev.jitney.fuzz;

import dev.jitney.fuzz.engine.Corpus;
import dev.jitney.fuzz.engine.Finding;
import dev.jitney.fuzz.engine.FuzzTarget;
import dev.jitney.fuzz.engine.Fuzzer;
import dev.jitney.fuzz.engine.Guided;
import dev.jitney.fuzz.engine.LogWatch;
import dev.jitney.fuzz.target.Targets;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code jitney fuzz}: fuzzes one target after the other, and prints the failures that it found and how to repeat them.
 */
@Command(
        name = "jitney fuzz",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Feeds protocols, parsers and decoders with invalid, damaged and hostile bytes.",
        footer = "Exit status: 0 nothing found, 1 a failure found (its input is kept in the corpus of the"
                + " target), 2 invalid options.")
final class FuzzCommand implements Callable<Integer> {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,6})(s|m|h)");
    private static final Map<String, Long> UNIT_MS = Map.of("s", 1_000L, "m", 60_000L, "h", 3_600_000L);

    /** The share of our own engine in the time of a target, if another engine may also choose its inputs. */
    private static final double OWN_SHARE = 0.4;

    @Option(
            names = "--target",
            paramLabel = "NAME",
            description = "Target to fuzz, may be repeated. Default: all targets. See --list.")
    private List<String> names = List.of();

    @Option(
            names = "--for",
            paramLabel = "TIME",
            defaultValue = "1m",
            description = "Time for all targets together, such as 30s, 10m or 8h (default: ${DEFAULT-VALUE}).")
    private String time = "1m";

    @Option(names = "--seed", description = "Seed of the inputs. Default: a random one.")
    private @Nullable Long seed;

    @Option(
            names = "--no-coverage",
            description = "Create all inputs from the seed; do not select inputs by the code that they reach.")
    private boolean withoutCoverage;

    @Option(
            names = "--repeat",
            paramLabel = "FILE",
            description = "Run only this input on the target given by --target.")
    private @Nullable Path repeated;

    @Option(
            names = "--corpus",
            paramLabel = "FOLDER",
            defaultValue = "${sys:jitney.fuzz.corpus:-testing/fuzz/corpus}",
            description = "Folder of the kept inputs, with a folder for each target (default: ${DEFAULT-VALUE}).")
    private Path corpus = Path.of("testing/fuzz/corpus");

    @Option(
            names = "--work",
            paramLabel = "FOLDER",
            defaultValue = "${sys:jitney.fuzz.work:-testing/fuzz/target/fuzz}",
            description = "Folder in which the coverage-guided engine stores its inputs (default: ${DEFAULT-VALUE}).")
    private Path work = Path.of("testing/fuzz/target/fuzz");

    @Option(names = "--list", description = "Print the targets and exit.")
    private boolean list;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        LogWatch log = LogWatch.listen();
        if (list) {
            list(out);
            return 0;
        }
        List<String> chosen = names.isEmpty() ? List.copyOf(Targets.names()) : names;
        for (String name : chosen) {
            if (!Targets.names().contains(name)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "Expected one of " + String.join(", ", Targets.names()) + ", but got '" + name + "'.");
            }
        }
        if (repeated != null && (chosen.size() != 1 || !Files.isRegularFile(repeated))) {
            throw new ParameterException(
                    spec.commandLine(), "Expected exactly one --target and an existing file with --repeat.");
        }
        long togetherMs = milliseconds();
        long chance = seed == null ? new SecureRandom().nextLong() >>> 16 : seed;
        RunSummary summary = new RunSummary(out, chosen.size());
        if (repeated == null) {
            summary.begin(togetherMs, chance);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> summary.end(true), "fuzz-end"));
        for (String name : chosen) {
            summary.target(name);
            if (!fuzz(out, summary, log, name, chance, togetherMs / chosen.size())) {
                summary.failed(name);
            }
        }
        summary.end(false);
        return summary.hasFailed() ? 1 : 0;
    }

    private static void list(PrintWriter out) {
        Targets.names().forEach(name -> out.printf("%-13s %s%n", name, Targets.about(name)));
    }

    private long milliseconds() {
        Matcher parts = DURATION.matcher(time);
        if (!parts.matches()) {
            throw new ParameterException(
                    spec.commandLine(), "Expected a time such as 30s, 10m or 8h, but got '" + time + "'.");
        }
        return Long.parseLong(parts.group(1)) * UNIT_MS.getOrDefault(parts.group(2), 1L);
    }

    /** Fuzzes a target; returns whether nothing was found. */
    private boolean fuzz(PrintWriter out, RunSummary summary, LogWatch log, String name, long chance, long forMs)
            throws Exception {
        try (FuzzTarget target = Targets.make(name)) {
            if (target == null) {
                throw new IllegalStateException("Expected a target named " + name + ", but there is none.");
            }
            Corpus kept = new Corpus(corpus.resolve(name));
            Fuzzer own = new Fuzzer(target, kept, chance, log);
            if (repeated != null) {
                Fuzzer.Report report = own.repeat(repeated.toString(), Files.readAllBytes(repeated));
                summary.ran(report.executions(), report.tookMs(), "repeated");
                return told(out, kept, report);
            }
            boolean guided = target.isFunction() && !withoutCoverage;
            Fuzzer.Report report = own.run(guided ? (long) (forMs * OWN_SHARE) : forMs);
            summary.ran(report.executions(), report.tookMs(), "from the seed");
            return told(out, kept, report)
                    && (!guided || guided(out, summary, log, target, kept, chance, (long) (forMs * (1 - OWN_SHARE))));
        }
    }

    private boolean told(PrintWriter out, Corpus kept, Fuzzer.Report report) throws IOException {
        String name = kept.folder().getFileName().toString();
        Finding finding = report.finding();
        if (finding == null) {
            return true;
        }
        out.println(finding.text());
        finding.failure().printStackTrace(out);
        if (repeated == null && finding.minimised().length > 0) {
            Path file = kept.keep(finding.minimised());
            out.println("Kept as " + file + ". To repeat: ./jitney fuzz --target " + name + " --repeat " + file);
        }
        return false;
    }

    private boolean guided(
            PrintWriter out, RunSummary summary, LogWatch log, FuzzTarget target, Corpus kept, long chance, long forMs)
            throws IOException, InterruptedException {
        summary.again();
        Path folder = Files.createDirectories(work.resolve(target.name()).toAbsolutePath());
        Corpus from = new Corpus(kept.folder().toAbsolutePath());
        Guided.Report report =
                new Guided(target, GuidedEntry.class.getName(), GuidedEntry.TARGET, folder).run(from, chance, forMs);
        summary.ran(report.executions(), report.tookMs(), "chosen by coverage");
        byte[] failing = report.failing();
        if (failing == null && report.executions() > 0) {
            return true;
        }
        if (failing == null) {
            out.println("Expected Jazzer to run, but it printed:\n" + report.output());
            return false;
        }
        Fuzzer.Report again = new Fuzzer(target, kept, chance, log).repeat("chosen by coverage", failing);
        if (again.finding() == null) {
            out.println("The input fails only in Jazzer, which printed:\n" + report.output() + "\nKept as "
                    + kept.keep(failing));
            return false;
        }
        return told(out, kept, again);
    }
}
