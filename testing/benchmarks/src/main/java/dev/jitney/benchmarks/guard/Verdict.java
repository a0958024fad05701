package dev.jitney.benchmarks.guard;

import dev.jitney.benchmarks.load.Spread;
import java.util.Locale;

/**
 * The comparison of one workload, from runs in turns. The ratios are those of neighboring runs; their median counts.
 *
 * @param rate messages per second of the new build over those of the baseline
 * @param processorTime the server's processor time per message of the new build over that of the baseline
 */
record Verdict(Workload workload, Spread rate, Spread processorTime) {
    /** The least ratio of rates. */
    static final double LEAST_RATE = 0.93;

    /** The largest ratio of processor times. */
    static final double MOST_PROCESSOR_TIME = 1.08;

    boolean passes() {
        return (!workload.measuresRate() || rate.median() >= LEAST_RATE)
                && processorTime.median() <= MOST_PROCESSOR_TIME;
    }

    String text() {
        return String.format(
                Locale.ROOT,
                "%-10s rate %-22s processor time %-22s %s",
                workload.label(),
                workload.measuresRate() ? rate.ratioText() : "given",
                processorTime.ratioText(),
                passes() ? "ok" : "WORSE");
    }

    String json() {
        return "{\"workload\":\"" + workload.label() + "\",\"rate\":" + rate.json() + ",\"processorTime\":"
                + processorTime.json() + ",\"passes\":" + passes() + "}";
    }
}
