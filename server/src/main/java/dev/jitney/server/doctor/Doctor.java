package dev.jitney.server.doctor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs checks one after the other within a limit of time for all of them. A check that fails is a finding. */
public final class Doctor {
    private static final long LEAST_MS = 200;

    private final List<Check> checks;
    private final Duration limit;

    public Doctor(List<Check> checks, Duration limit) {
        this.checks = List.copyOf(checks);
        this.limit = limit;
    }

    /** Makes all checks, and returns their findings in the order of the checks. */
    public List<Finding> examine(Installation installation) throws InterruptedException {
        List<Finding> found = new ArrayList<>();
        long endNs = System.nanoTime() + limit.toNanos();
        for (Check check : checks) {
            found.addAll(examine(check, installation, Math.max(LEAST_MS, (endNs - System.nanoTime()) / 1_000_000)));
        }
        return found;
    }

    private List<Finding> examine(Check check, Installation installation, long limitMs) throws InterruptedException {
        Findings to = new Findings(check.name());
        ExecutorService thread = Executors.newSingleThreadExecutor(runnable -> {
            Thread made = new Thread(runnable, "jitney-doctor-" + check.name());
            made.setDaemon(true);
            return made;
        });
        try {
            Future<?> run = thread.submit(() -> {
                check.run(installation, to);
                return null;
            });
            run.get(limitMs, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            to.warning(
                    "The check could not be made: " + e.getCause() + ".",
                    "Run this command as the user of the server, on the machine of the server.");
        } catch (TimeoutException e) {
            to.advice("The check did not end in its time.", "Give it more time with --time-limit.");
        } finally {
            thread.shutdownNow();
        }
        return to.all();
    }
}
