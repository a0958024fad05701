package dev.jitney.benchmarks.filter;

import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** The main class for the benchmarks of this package. It takes the options of JMH, for example {@code -prof gc}. */
public final class FilterBenchmarks {
    private FilterBenchmarks() {}

    public static void main(String[] args) throws RunnerException, CommandLineOptionException {
        new Runner(new OptionsBuilder()
                        .parent(new CommandLineOptions(args))
                        .include(FilterBenchmarks.class.getPackageName().replace(".", "\\.") + "\\..*")
                        .build())
                .run();
    }
}
