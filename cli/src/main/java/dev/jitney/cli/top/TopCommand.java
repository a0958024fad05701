package dev.jitney.cli.top;

import dev.jitney.cli.connection.ConnectionOptions;
import dev.jitney.cli.connection.Failures;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.OutputOptions;
import dev.jitney.cli.output.Screen;
import dev.jitney.cli.value.Durations;
import dev.jitney.cli.value.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code jitney top}: a live view of counts, rates, the age of the oldest message, and receivers of all entities. */
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        abbreviateSynopsis = true,
        sortOptions = false,
        description = "Shows counts, messages per second, the age of the oldest message and the receivers of all"
                + " entities, live.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  jitney top",
            "  jitney top --sort oldest --interval 10s",
            "  jitney top --once --output json      one table, for scripts; takes one interval",
            "",
            "Keys: q or Ctrl-C ends it, s sorts by the next column, any other key refreshes.",
            "Without a terminal it prints one table and ends.",
            "",
            "Rates, ages and receivers come from GET /metrics of a Jitney server. If the",
            "server restricts that page, this needs a key with Listen or Manage for the",
            "namespace. For other namespaces, such as Azure's, only counts are known."
        })
public final class TopCommand implements Callable<Integer> {
    private static final Duration SHORTEST = Duration.ofMillis(100);

    private final Console console;
    private final Function<Console, Screen> screens;

    /** The previous reading, for the rates. */
    private Map<String, EntityLoad> before = Map.of();

    private long beforeNanos;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(
            names = "--interval",
            paramLabel = "DURATION",
            description = "Time between two refreshes, 100ms to 1d (default: ${DEFAULT-VALUE}).")
    private String interval = "2s";

    @Option(names = "--once", description = "Print one table and end.")
    private boolean once;

    @Option(
            names = "--sort",
            paramLabel = "COLUMN",
            description = "Column to sort by, largest first: active, in, out, oldest, dead, scheduled, receivers or"
                    + " path (default: ${DEFAULT-VALUE}).")
    private String sort = "active";

    @Option(
            names = "--max",
            paramLabel = "N",
            description = "Maximum number of entities (default: as many as fit the terminal; without a terminal, all).")
    private @Nullable Integer max;

    public TopCommand(Console console) {
        this(console, Screen::open);
    }

    TopCommand(Console console, Function<Console, Screen> screens) {
        this.console = console;
        this.screens = screens;
    }

    @Override
    public Integer call() {
        OutputFormat format = output.format();
        Duration pause = pause();
        Order order = Order.parse(sort);
        if (max != null && max < 1) {
            throw Failure.badOption("--max: Expected a number from 1, but got " + max + ".");
        }
        try (NamespaceClients clients = connection.open(console)) {
            LoadSource source = LoadSource.of(clients);
            if (!source.hasMetrics()) {
                console.note("This server has no metrics, so rates, ages and receivers are unknown.");
            }
            try (Screen screen = once || format == OutputFormat.JSON ? Screen.none() : screens.apply(console)) {
                if (!screen.present()) {
                    return print(source, pause, order, format, clients.namespace());
                }
                return watch(source, pause, order, screen, clients.namespace());
            }
        }
    }

    /** Prints one table. With counters it takes two readings, because a rate needs both. */
    private int print(LoadSource source, Duration pause, Order order, OutputFormat format, String host) {
        List<EntityLoad> loads = look(source);
        if (source.hasMetrics()) {
            sleep(pause);
            if (console.interruption().requested()) {
                return Failure.INTERRUPTED;
            }
            loads = look(source);
        }
        loads.sort(order.comparator());
        int shown = Math.min(loads.size(), max == null ? Integer.MAX_VALUE : max);
        if (format == OutputFormat.JSON) {
            loads.subList(0, shown).forEach(load -> console.out().println(Json.line(load.document())));
        } else {
            LoadTable.lines(
                            loads,
                            shown,
                            Screen.none(),
                            null,
                            host,
                            console.clock().instant())
                    .forEach(console.out()::println);
        }
        if (console.out().checkError()) {
            throw new Failure(Failure.FAULT, "Standard output is closed.");
        }
        return 0;
    }

    private int watch(LoadSource source, Duration pause, Order first, Screen screen, String host) {
        Order order = first;
        List<EntityLoad> loads = List.of();
        while (!console.interruption().requested()) {
            String trouble = "";
            try {
                loads = look(source);
            } catch (RuntimeException e) {
                // The server may be restarting. The last table stays on the screen.
                Failure failure = Failures.of(e);
                if (failure == null) {
                    throw e;
                }
                trouble = failure.line();
            }
            int key;
            do {
                loads = new ArrayList<>(loads);
                loads.sort(order.comparator());
                screen.draw(picture(loads, order, trouble, screen, host));
                key = key(screen, pause);
                if (key == 'q' || key == 'Q') {
                    return 0;
                } else if (key == 's' || key == 'S') {
                    order = order.next();
                }
            } while (key == 's' || key == 'S');
        }
        return Failure.INTERRUPTED;
    }

    private List<String> picture(List<EntityLoad> loads, Order order, String trouble, Screen screen, String host) {
        Screen.Size size = screen.size();
        int room = Math.max(1, size.rows() - LoadTable.LINES_BESIDES);
        int shown = Math.min(Math.min(loads.size(), room), max == null ? Integer.MAX_VALUE : max);
        List<String> lines = LoadTable.lines(
                loads, shown, screen, size, host, console.clock().instant());
        String help = trouble.isEmpty() ? "sorted by " + order.word() + "; s: next column, q: end" : trouble;
        String last = LoadTable.cut(help, size);
        lines.add(trouble.isEmpty() ? last : screen.red(last));
        // A terminal with very few rows shows only the first lines.
        return lines.subList(0, Math.min(lines.size(), size.rows()));
    }

    /** Reads all entities, with rates since the previous reading. */
    private List<EntityLoad> look(LoadSource source) {
        List<EntityLoad> now = source.read();
        long nowNanos = System.nanoTime();
        double seconds = (nowNanos - beforeNanos) / 1e9;
        List<EntityLoad> rated = new ArrayList<>();
        Map<String, EntityLoad> seen = new HashMap<>();
        for (EntityLoad load : now) {
            rated.add(load.since(before.get(load.key()), seconds));
            seen.put(load.key(), load);
        }
        before = seen;
        beforeNanos = nowNanos;
        return rated;
    }

    private int key(Screen screen, Duration pause) {
        int[] key = {Screen.NO_KEY};
        console.interruption().waitIn(() -> key[0] = screen.key(pause));
        return key[0];
    }

    private Duration pause() {
        try {
            Duration pause = Durations.parse(interval);
            if (pause.compareTo(SHORTEST) >= 0 && pause.compareTo(Duration.ofDays(1)) <= 0) {
                return pause;
            }
        } catch (IllegalArgumentException e) {
            // The failure below covers this case.
        }
        throw Failure.badOption("--interval: Expected a time from 100ms to 1d, but got '" + interval + "'.");
    }

    private void sleep(Duration pause) {
        console.interruption().waitIn(() -> {
            try {
                TimeUnit.MILLISECONDS.sleep(pause.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
