package dev.jitney.benchmarks;

import dev.jitney.benchmarks.bench.BenchCommand;
import picocli.CommandLine;

/** The entry of {@code ./jitney bench}. */
public final class JitneyBench {
    private JitneyBench() {}

    /** Ends the process: 0 measured, 1 a fault, 2 options that cannot work. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new BenchCommand()).execute(args));
    }
}
