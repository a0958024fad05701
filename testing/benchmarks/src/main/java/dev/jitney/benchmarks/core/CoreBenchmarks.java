package dev.jitney.benchmarks.core;

import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** The main class for the benchmarks of this package. It takes the options of JMH, for example {@code -prof gc}. */
public final class CoreBenchmarks {
    private CoreBenchmarks() {}

    public static void main(String[] args) throws RunnerException, CommandLineOptionException {
        new Runner(new OptionsBuilder()
                        .parent(new CommandLineOptions(args))
                        .include(CoreBenchmarks.class.getPackageName().replace(".", "\\.") + "\\..*")
                        .build())
                .run();
    }
}
