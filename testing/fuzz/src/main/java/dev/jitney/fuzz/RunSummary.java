package dev.jitney.fuzz;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The progress and the result of a run, printed even if the run is interrupted. The fuzzing thread writes it; the
 * thread that ends the process may print the last lines at the same time.
 */
final class RunSummary {
    private final PrintWriter out;
    private final int targets;
    private final long startNs = System.nanoTime();
    private final List<String> failed = new ArrayList<>();
    private int begun;
    private long inputs;
    private boolean over;

    RunSummary(PrintWriter out, int targets) {
        this.out = out;
        this.targets = targets;
    }

    /** Prints the plan. */
    void begin(long forMs, long seed) {
        out.printf(
                "Fuzzing %s for %s in total, seed %d.%n",
                targets == 1 ? "one target" : targets + " targets", duration(forMs), seed);
    }

    /** Prints the next target; its figures follow on the same line. */
    synchronized void target(String name) {
        out.printf("[%2d/%d] %-13s ", ++begun, targets, name);
        out.flush();
    }

    /** Prints the number of inputs. */
    synchronized void ran(long executions, long tookMs, String how) {
        inputs += executions;
        out.printf("%,12d inputs %,8d/s  %s%n", executions, executions * 1_000 / Math.max(1, tookMs), how);
    }

    /** Begins a second line for the same target. */
    void again() {
        out.printf("%" + ("[ 1/" + targets + "] ").length() + "s%-13s ", "", "");
        out.flush();
    }

    synchronized void failed(String name) {
        failed.add(name);
    }

    /** Prints the result once. */
    synchronized void end(boolean early) {
        if (over) {
            return;
        }
        over = true;
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        String found = failed.isEmpty() ? "Nothing found" : "FAILURES in " + String.join(", ", failed);
        String where = early ? "ended early at target " + begun + " of " + targets : "all targets done";
        out.printf("%s%s: %,d inputs in %s, %s.%n", early ? "\n" : "", found, inputs, duration(tookMs), where);
        out.flush();
    }

    synchronized boolean hasFailed() {
        return !failed.isEmpty();
    }

    private static String duration(long ms) {
        long seconds = Math.round(ms / 1000.0);
        return seconds < 600 ? seconds + " s" : Math.round(seconds / 60.0) + " min";
    }
}
