package dev.jitney.comparison;

import dev.jitney.benchmarks.JitneyBench;
import picocli.CommandLine;

/** The entry point of {@code ./jitney bench compare}. */
public final class JitneyCompare {
    private JitneyCompare() {}

    /**
     * Runs the command and ends the process: 0 after a measurement, 1 after a failure, 2 for options that cannot work.
     */
    public static void main(String[] args) {
        JitneyBench.main(new CommandLine(new CompareCommand()), args);
    }
}
