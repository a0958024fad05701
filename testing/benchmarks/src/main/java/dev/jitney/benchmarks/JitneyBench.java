package dev.jitney.benchmarks;

import dev.jitney.benchmarks.bench.BenchCommand;
import picocli.CommandLine;

/** The entry of {@code ./jitney bench}. */
public final class JitneyBench {
    private JitneyBench() {}

    /** Ends the process: 0 measured, 1 a fault, 2 options that cannot work. */
    public static void main(String[] args) {
        // Before the first logger is made: what libraries tell at level DEBUG would be measured too.
        System.setProperty("logback.configurationFile", "dev/jitney/benchmarks/logback.xml");
        System.exit(new CommandLine(new BenchCommand()).execute(args));
    }
}
