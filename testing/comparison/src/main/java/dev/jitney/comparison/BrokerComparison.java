package dev.jitney.comparison;

import dev.jitney.benchmarks.bench.Directories;
import dev.jitney.benchmarks.bench.Terminal;
import dev.jitney.comparison.broker.Broker;
import dev.jitney.comparison.broker.BrokerServer;
import dev.jitney.comparison.broker.JitneyBroker;
import dev.jitney.comparison.result.Failure;
import dev.jitney.comparison.result.Figure;
import dev.jitney.comparison.result.Findings;
import dev.jitney.comparison.result.ResultsFile;
import dev.jitney.comparison.result.Run;
import dev.jitney.comparison.scenario.Rates;
import dev.jitney.comparison.scenario.Scenario;
import dev.jitney.comparison.scenario.Sizes;
import dev.jitney.comparison.scenario.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

/** The order of the runs: every scenario, round by round, one broker after the other, each run on a new broker. */
final class BrokerComparison {
    private final List<Broker> brokers;
    private final List<Scenario> scenarios;
    private final Sizes sizes;
    private final Rates rates;
    private final Path work;
    private final Terminal terminal;
    private final ResultsFile results;

    /**
     * @param brokers the brokers; the last one determines the rate in scenarios that need one
     * @param work directory that the brokers write to; emptied after each run
     */
    BrokerComparison(
            List<Broker> brokers,
            List<Scenario> scenarios,
            Sizes sizes,
            Rates rates,
            Path work,
            Terminal terminal,
            ResultsFile results) {
        this.brokers = brokers;
        this.scenarios = scenarios;
        this.sizes = sizes;
        this.rates = rates;
        this.work = work;
        this.terminal = terminal;
        this.results = results;
    }

    /**
     * Runs all scenarios; reports failures and keeps them among the results. A failed run of a peer is repeated once,
     * since the comparison does not look for its problems; a failed run of Jitney is not. Returns the number of runs
     * without a result.
     */
    int run() throws IOException, InterruptedException {
        int failed = 0;
        for (Scenario scenario : scenarios) {
            terminal.say("== %s: %s", scenario.id(), scenario.title());
            int rounds = scenario.rounds(sizes);
            for (int round = 1; round <= rounds; round++) {
                for (Broker broker : order(scenario, round)) {
                    boolean again = !broker.name().equals(JitneyBroker.NAME);
                    if (!attempt(scenario, broker, round, again)
                            && !(again && attempt(scenario, broker, round, false))) {
                        failed++;
                    }
                }
            }
        }
        return failed;
    }

    /** Makes a run; returns whether it succeeded. */
    private boolean attempt(Scenario scenario, Broker broker, int round, boolean again)
            throws IOException, InterruptedException {
        String turn = String.format(Locale.ROOT, "%-8s %d/%d ", broker.name(), round, scenario.rounds(sizes));
        Run run;
        try {
            run = run(scenario, broker, round);
        } catch (IOException | CompletionException e) {
            String message = String.valueOf(e.getMessage());
            results.append(new Failure(scenario.id(), broker.name(), round, message, again));
            terminal.say("%s failed%s: %s", turn, again ? " and is repeated once" : "", message);
            return false;
        }
        results.append(run);
        terminal.say("%s %s", turn, summary(run));
        return true;
    }

    /**
     * Returns the order of the brokers. It alternates between rounds, since a machine may become faster or slower over
     * time.
     */
    private List<Broker> order(Scenario scenario, int round) {
        List<Broker> order = new ArrayList<>(brokers);
        if (round % 2 == 0 || (scenario.paced() && !rates.knowsHalf())) {
            Collections.reverse(order);
        }
        return order;
    }

    private Run run(Scenario scenario, Broker broker, int round) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(work, "run-");
        boolean small = scenario.backlog() && broker.name().equals(JitneyBroker.NAME);
        String heap = small ? sizes.jitneyBacklogHeap() : sizes.heap();
        Findings findings = new Findings();
        try (BrokerServer server = broker.prepare(directory, scenario.entities(), heap)) {
            scenario.run(new Trial(server, sizes, rates, findings));
        } finally {
            Directories.delete(directory);
        }
        return new Run(scenario.id(), scenario.title(), broker.name(), round, findings.figures(), findings.series());
    }

    private static String summary(Run run) {
        List<String> parts = new ArrayList<>();
        for (Figure figure : Figure.values()) {
            Double value = run.figures().get(figure.key());
            if (value != null) {
                parts.add(figure.key() + " " + figure.text(value));
            }
        }
        return parts.stream().collect(Collectors.joining(", "));
    }
}
