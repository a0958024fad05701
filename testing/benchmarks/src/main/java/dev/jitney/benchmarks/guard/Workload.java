package dev.jitney.benchmarks.guard;

import dev.jitney.benchmarks.load.BenchPlan;
import dev.jitney.benchmarks.load.Mode;
import dev.jitney.benchmarks.load.Routes;
import dev.jitney.testing.client.Settling;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The runs of a comparison. */
enum Workload {
    SEND(Mode.SEND, 2, 1_024, 1_000, 0),
    RECEIVE(Mode.RECEIVE, 2, 1_024, 1_000, 0),
    BOTH_1(Mode.BOTH, 1, 1_024, 1_000, 0),
    BOTH_8(Mode.BOTH, 8, 1_024, 250, 0),
    LARGE(Mode.BOTH, 2, 16_384, 100, 0),
    RATE_2000(Mode.LATENCY, 2, 1_024, 1_000, 2_000);

    static final String QUEUE = "guard";

    private static final long MAX_BACKLOG = 5_000;

    private final Mode mode;
    private final int connections;
    private final int bytes;
    private final int inFlight;
    private final double rate;

    Workload(Mode mode, int connections, int bytes, int inFlight, double rate) {
        this.mode = mode;
        this.connections = connections;
        this.bytes = bytes;
        this.inFlight = inFlight;
        this.rate = rate;
    }

    /** Returns the name for people. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns whether the rate is what the server reaches, and not given. */
    boolean measuresRate() {
        return rate == 0;
    }

    /** Returns whether a run needs a backlog. */
    boolean needsBacklog() {
        return mode == Mode.RECEIVE;
    }

    /** Returns whether a run leaves a backlog. */
    boolean leavesBacklog() {
        return mode == Mode.SEND;
    }

    /**
     * Returns a run.
     *
     * @param seconds its length; a run from a backlog ends with that
     * @param count messages of the backlog
     */
    BenchPlan plan(long seconds, long count) {
        return needsBacklog() ? plan(mode, 0, count) : plan(mode, seconds, 0);
    }

    /** Returns the run that makes or empties a backlog. */
    BenchPlan counted(Mode other, long count) {
        return plan(other, 0, count);
    }

    private BenchPlan plan(Mode of, long seconds, long count) {
        return new BenchPlan(
                of,
                Routes.between(QUEUE, QUEUE),
                Settling.CONFIRMED,
                Map.of(),
                connections,
                connections,
                connections,
                bytes,
                count,
                count > 0 ? TimeUnit.MINUTES.toMillis(10) : TimeUnit.SECONDS.toMillis(seconds),
                0,
                rate,
                inFlight,
                MAX_BACKLOG);
    }
}
