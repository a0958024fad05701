package dev.jitney.comparison;

import dev.jitney.benchmarks.JitneyBench;
import picocli.CommandLine;

/** The entry of {@code ./jitney bench compare}. */
public final class JitneyCompare {
    private JitneyCompare() {}

    /** Ends the process: 0 measured, 1 a fault or a run that failed, 2 options that cannot work. */
    public static void main(String[] args) {
        JitneyBench.main(new CommandLine(new CompareCommand()), args);
    }
}
