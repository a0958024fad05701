package dev.jitney.comparison.result;

import dev.jitney.benchmarks.load.Spread;
import dev.jitney.comparison.broker.JitneyBroker;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All runs of a file. If a later chapter has runs of a scenario, only those count.
 *
 * @param chapters chapters in order of time
 */
public record Results(List<Chapter> chapters) {

    /**
     * The runs of one setting.
     *
     * @param runs successful runs in order of time
     * @param failures failed runs in order of time
     */
    record Chapter(Setting setting, List<Run> runs, List<Failure> failures) {
        private boolean hasTried(String scenario) {
            return runs.stream().anyMatch(run -> run.scenario().equals(scenario))
                    || failures.stream().anyMatch(failure -> failure.scenario().equals(scenario));
        }
    }

    /**
     * One scenario of the report.
     *
     * @param runs runs of all brokers
     */
    public record Measured(String id, String title, List<Run> runs) {

        /** Returns the values of all runs of a broker, or null if there are none. */
        @Nullable
        public Spread spread(String broker, Figure figure) {
            double[] values = of(broker)
                    .map(run -> run.figures().get(figure.key()))
                    .filter(value -> value != null)
                    .mapToDouble(Double::doubleValue)
                    .toArray();
            return values.length == 0 ? null : new Spread(values);
        }

        /** Returns the medians of a series over all runs of a broker, element by element. */
        public List<Double> series(String broker, String name) {
            List<List<Double>> all = of(broker)
                    .map(run -> run.series().getOrDefault(name, List.of()))
                    .toList();
            int parts = all.stream().mapToInt(List::size).min().orElse(0);
            List<Double> medians = new ArrayList<>();
            for (int i = 0; i < parts; i++) {
                int part = i;
                medians.add(new Spread(all.stream()
                                .mapToDouble(values -> values.get(part))
                                .toArray())
                        .median());
            }
            return medians;
        }

        public boolean has(Figure figure) {
            return runs.stream().anyMatch(run -> run.figures().containsKey(figure.key()));
        }

        public boolean hasSeries() {
            return runs.stream().anyMatch(run -> !run.series().isEmpty());
        }

        private Stream<Run> of(String broker) {
            return runs.stream().filter(run -> run.broker().equals(broker));
        }
    }

    /** Returns the scenarios, each with its last measurement. */
    public List<Measured> scenarios() {
        Set<String> ids = new LinkedHashSet<>();
        chapters.forEach(chapter -> chapter.runs().forEach(run -> ids.add(run.scenario())));
        List<Measured> scenarios = new ArrayList<>();
        for (String id : ids) {
            List<Run> runs = last(id).runs().stream()
                    .filter(run -> run.scenario().equals(id))
                    .toList();
            scenarios.add(new Measured(id, runs.get(0).title(), runs));
        }
        return scenarios;
    }

    /** Returns the settings of all measurements that count. */
    public List<Setting> settings() {
        Set<Setting> settings = new LinkedHashSet<>();
        scenarios().forEach(scenario -> settings.add(last(scenario.id()).setting()));
        return List.copyOf(settings);
    }

    /** Returns the failures of the last measurement of each scenario. */
    public List<Failure> failures() {
        List<Failure> failures = new ArrayList<>();
        for (int i = 0; i < chapters.size(); i++) {
            List<Chapter> later = chapters.subList(i + 1, chapters.size());
            chapters.get(i).failures().stream()
                    .filter(failure -> later.stream().noneMatch(chapter -> chapter.hasTried(failure.scenario())))
                    .forEach(failures::add);
        }
        return failures;
    }

    /** Returns the names of the brokers. */
    public List<String> brokers() {
        Set<String> names = new LinkedHashSet<>();
        scenarios().forEach(scenario -> scenario.runs().forEach(run -> names.add(run.broker())));
        // Jitney comes first, whichever broker ran first.
        List<String> sorted = new ArrayList<>(names);
        sorted.sort((a, b) -> Boolean.compare(b.equals(JitneyBroker.NAME), a.equals(JitneyBroker.NAME)));
        return sorted;
    }

    private Chapter last(String scenario) {
        Predicate<Run> wanted = run -> run.scenario().equals(scenario);
        Chapter last = null;
        for (Chapter chapter : chapters) {
            if (chapter.runs().stream().anyMatch(wanted)) {
                last = chapter;
            }
        }
        if (last == null) {
            throw new IllegalArgumentException("Expected a measured scenario, but got " + scenario + ".");
        }
        return last;
    }
}
