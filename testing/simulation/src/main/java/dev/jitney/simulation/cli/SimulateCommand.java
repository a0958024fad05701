package dev.jitney.simulation.cli;

import dev.jitney.simulation.Violation;
import dev.jitney.simulation.model.state.Step;
import dev.jitney.simulation.run.Shrinking;
import dev.jitney.simulation.run.Simulation;
import java.io.PrintWriter;
import java.time.Duration;
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

/** {@code jitney simulate}: runs seeds, shrinks the first history that fails, or tells one history event by event. */
@Command(
        name = "simulate",
        sortOptions = false,
        description = {
            "Runs the broker on one thread with simulated clients, time and disks, and holds it against a model.",
            "Ends with 0 if every history held, with 1 if one did not."
        })
final class SimulateCommand implements Callable<Integer> {
    private static final int FAILED = 1;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    private boolean help;

    @Option(names = "--seed", paramLabel = "S", description = "Tells the history of one seed.")
    private @Nullable Long seed;

    @Option(names = "--only", paramLabel = "N,N...", description = "With --seed: leaves out all other events.")
    private @Nullable String only;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "Runs so many seeds (${DEFAULT-VALUE}).",
            defaultValue = "200")
    private long seeds;

    @Option(
            names = "--from",
            paramLabel = "S",
            description = "The first of them (${DEFAULT-VALUE}).",
            defaultValue = "1")
    private long from;

    @Option(names = "--for", paramLabel = "TIME", description = "Runs seeds for so long instead: 90s, 20m, 8h.")
    private @Nullable String time;

    @Option(
            names = "--events",
            paramLabel = "N",
            description = "Events of each seed (${DEFAULT-VALUE}).",
            defaultValue = "5000")
    private int events;

    @Option(
            names = "--shrink",
            paramLabel = "SECONDS",
            description = "How long to look for a shorter history that fails (${DEFAULT-VALUE}).",
            defaultValue = "60")
    private long shrinkSeconds;

    @Option(names = "--keep-going", description = "Tells which seeds fail, and shrinks none of them.")
    private boolean keepGoing;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    private final Map<Step, Long> steps = new EnumMap<>(Step.class);

    @Override
    public Integer call() {
        if (events < 1 || seeds < 1) {
            throw new ParameterException(spec.commandLine(), "Expected at least 1 for --events and --seeds.");
        }
        Long one = seed;
        return one != null ? tell(one, chosen()) : runAll();
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
            throw new ParameterException(spec.commandLine(), "Expected numbers and commas for --only, but got " + only);
        }
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private int tell(long told, int[] numbers) {
        try {
            Simulation.Result result = Simulation.run(told, numbers, out()::println);
            out().printf(Locale.ROOT, "Seed %d holds; its history is %016x.%n", told, result.hash());
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
        while (time == null ? count < seeds : System.nanoTime() < endNanos) {
            long current = from + count;
            try {
                Simulation.run(current, events).steps().forEach((step, n) -> steps.merge(step, n, Long::sum));
            } catch (Violation e) {
                failed++;
                if (!keepGoing) {
                    report(current, e, count);
                    return FAILED;
                }
                out().printf(Locale.ROOT, "Seed %d fails: %s%n", current, e.getMessage());
            }
            count++;
        }
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        out().printf(
                        Locale.ROOT,
                        "%d seeds of %d events held%s in %.1f s: %.1f us per event.%n",
                        count - failed,
                        events,
                        failed == 0 ? "" : ", " + failed + " did not",
                        seconds,
                        seconds * 1e6 / count / events);
        steps.forEach((step, n) ->
                out().printf(Locale.ROOT, "%12d %s%n", n, step.name().toLowerCase(Locale.ROOT)));
        out().flush();
        return failed == 0 ? 0 : FAILED;
    }

    private void report(long failed, Violation violation, long before) {
        out().printf(
                        Locale.ROOT,
                        "Seed %d fails after %d seeds that held: %s%n",
                        failed,
                        before,
                        violation.getMessage());
        out().flush();
        Shrinking.Minimal minimal = Shrinking.shrink(failed, events, shrinkSeconds, violation);
        String numbers =
                Arrays.stream(minimal.events()).mapToObj(Integer::toString).collect(Collectors.joining(","));
        out().printf(Locale.ROOT, "A history of %d events that fails:%n", minimal.events().length);
        tell(failed, minimal.events());
        out().printf(Locale.ROOT, "Again: ./jitney simulate --seed %d --events %d%n", failed, events);
        out().printf(Locale.ROOT, "Or:    ./jitney simulate --seed %d --only %s%n", failed, numbers);
        out().flush();
    }

    private Duration duration(String text) {
        try {
            return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
        } catch (RuntimeException e) {
            throw new ParameterException(
                    spec.commandLine(), "Expected a time such as 90s, 20m or 8h for --for, but got " + text + ".");
        }
    }
}
