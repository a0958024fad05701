package dev.jitney.simulation.cli;

import dev.jitney.simulation.Violation;
import dev.jitney.simulation.model.state.Step;
import dev.jitney.simulation.run.Shrinking;
import dev.jitney.simulation.run.Simulation;
import dev.jitney.simulation.run.StoreKind;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code jitney simulate}: runs seeds and shrinks the first history that fails, or prints the history of
 * one seed event by event.
 */
@Command(
        name = "simulate",
        sortOptions = false,
        description = {
            "Runs the broker on one thread with simulated clients, time and disks, and compares it with a model.",
            "Exits with 0 if every history passes, and with 1 if one fails."
        })
final class SimulateCommand implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final long PROGRESS_NANOS = Duration.ofMinutes(10).toNanos();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    private boolean help;

    @Option(names = "--seed", paramLabel = "S", description = "Run this seed only, and print each event.")
    private @Nullable Long seed;

    @Option(
            names = "--only",
            paramLabel = "N,N...",
            description = "With --seed: run only the events with these numbers.")
    private @Nullable String only;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "Number of seeds to run. Default: ${DEFAULT-VALUE}.",
            defaultValue = "200")
    private long seeds;

    @Option(
            names = "--from",
            paramLabel = "S",
            description = "First seed to run. Default: ${DEFAULT-VALUE}.",
            defaultValue = "1")
    private long from;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description =
                    "Run seeds for this time, for example 90s, 20m or 72h. Replaces --seeds. Prints a line every ten"
                            + " minutes.")
    private @Nullable String time;

    @Option(
            names = "--events",
            paramLabel = "N",
            description = "Number of events of each seed. Default: ${DEFAULT-VALUE}.",
            defaultValue = "5000")
    private int events;

    @Option(
            names = "--cluster",
            description = "Run the broker on three simulated nodes that agree on one log. Default: a single node.")
    private boolean cluster;

    @Option(
            names = "--shrink",
            paramLabel = "SECONDS",
            description = "Seconds to search for a shorter history that fails. Default: ${DEFAULT-VALUE}.",
            defaultValue = "60")
    private long shrinkSeconds;

    @Option(
            names = "--keep-going",
            description = "Report each seed that fails and continue. Does not shrink histories.")
    private boolean keepGoing;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    private final Map<Step, Long> steps = new EnumMap<>(Step.class);

    @Override
    public Integer call() {
        if (events < 1 || seeds < 1) {
            throw new ParameterException(spec.commandLine(), "Expected at least 1 for --events and for --seeds.");
        }
        Long one = seed;
        return one != null ? tell(one, chosen()) : runAll();
    }

    private StoreKind kind() {
        return cluster ? StoreKind.CLUSTER : StoreKind.SINGLE;
    }

    private int[] chosen() {
        if (only == null) {
            int[] all = new int[events];
            Arrays.setAll(all, i -> i);
            return all;
        }
        try {
            return Arrays.stream(only.split(","))
                    .mapToInt(Integer::parseInt)
                    .sorted()
                    .toArray();
        } catch (NumberFormatException e) {
            throw new ParameterException(
                    spec.commandLine(), "Expected numbers separated by commas for --only, but got " + only + ".");
        }
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private int tell(long told, int[] numbers) {
        try {
            Simulation.Result result = Simulation.run(told, kind(), numbers, out()::println);
            out().printf(Locale.ROOT, "Seed %d passed. Hash of its history: %016x.%n", told, result.hash());
            return 0;
        } catch (Violation e) {
            e.printStackTrace(out());
            out().flush();
            return FAILED;
        }
    }

    private int runAll() {
        long startNanos = System.nanoTime();
        long endNanos =
                time == null ? Long.MAX_VALUE : startNanos + duration(time).toNanos();
        long count = 0;
        long failed = 0;
        long saidNanos = startNanos;
        while (time == null ? count < seeds : System.nanoTime() < endNanos) {
            long current = from + count;
            try {
                Simulation.run(current, kind(), events).steps().forEach((step, n) -> steps.merge(step, n, Long::sum));
            } catch (Violation e) {
                failed++;
                if (!keepGoing) {
                    report(current, e, count);
                    return FAILED;
                }
                out().printf(Locale.ROOT, "Seed %d failed: %s%n", current, e.getMessage());
            }
            count++;
            if (time != null && System.nanoTime() - saidNanos >= PROGRESS_NANOS) {
                saidNanos = System.nanoTime();
                out().printf(
                                Locale.ROOT,
                                "%s: %d seeds of %d events, the last one %d, %d failed.%n",
                                Duration.ofNanos(saidNanos - startNanos).truncatedTo(ChronoUnit.SECONDS),
                                count,
                                events,
                                current,
                                failed);
                out().flush();
            }
        }
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        out().printf(
                        Locale.ROOT,
                        "%d seeds of %d events passed%s in %.1f s: %.1f us per event.%n",
                        count - failed,
                        events,
                        failed == 0 ? "" : ", " + failed + " failed",
                        seconds,
                        seconds * 1e6 / count / events);
        out().printf(
                        Locale.ROOT,
                        "%.0f seeds per hour. To continue with other seeds: ./jitney simulate%s --from %d%s%n",
                        count * 3600 / seconds,
                        cluster ? " --cluster" : "",
                        from + count,
                        time == null ? " --seeds " + seeds : " --for " + time);
        steps.forEach((step, n) ->
                out().printf(Locale.ROOT, "%12d %s%n", n, step.name().toLowerCase(Locale.ROOT)));
        out().flush();
        return failed == 0 ? 0 : FAILED;
    }

    private void report(long failed, Violation violation, long before) {
        out().printf(
                        Locale.ROOT,
                        "Seed %d failed after %d seeds that passed: %s%n",
                        failed,
                        before,
                        violation.getMessage());
        out().flush();
        Shrinking.Minimal minimal = Shrinking.shrink(failed, kind(), events, shrinkSeconds, violation);
        String numbers =
                Arrays.stream(minimal.events()).mapToObj(Integer::toString).collect(Collectors.joining(","));
        out().printf(Locale.ROOT, "Shortest failing history found, with %d events:%n", minimal.events().length);
        tell(failed, minimal.events());
        out().printf(
                        Locale.ROOT,
                        "To repeat all events:        ./jitney simulate%s --seed %d --events %d%n",
                        cluster ? " --cluster" : "",
                        failed,
                        events);
        out().printf(
                        Locale.ROOT,
                        "To repeat the short history: ./jitney simulate%s --seed %d --only %s%n",
                        cluster ? " --cluster" : "",
                        failed,
                        numbers);
        out().flush();
    }

    private Duration duration(String text) {
        try {
            return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
        } catch (RuntimeException e) {
            throw new ParameterException(
                    spec.commandLine(), "Expected a duration such as 90s, 20m or 8h for --for, but got " + text + ".");
        }
    }
}
