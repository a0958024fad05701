package dev.jitney.benchmarks.codec;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** The main class for the benchmarks of this package. It adds allocation figures and takes the options of JMH. */
public final class CodecBenchmarks {
    private CodecBenchmarks() {}

    public static void main(String[] arguments) throws RunnerException, CommandLineOptionException {
        CommandLineOptions given = new CommandLineOptions(arguments);
        OptionsBuilder options = new OptionsBuilder();
        options.parent(given).addProfiler(GCProfiler.class);
        if (given.getIncludes().isEmpty()) {
            options.include("dev\\.jitney\\.benchmarks\\.codec\\..*");
        }
        new Runner(options.build()).run();
    }
}
