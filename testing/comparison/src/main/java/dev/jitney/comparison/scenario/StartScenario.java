package dev.jitney.comparison.scenario;

import dev.jitney.benchmarks.load.Quiet;
import dev.jitney.comparison.broker.Entities;
import dev.jitney.comparison.result.Figure;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The time from the launch of an empty broker until it accepts the first message, and its memory when it is idle. */
record StartScenario() implements Scenario {
    private static final int STARTS_PER_ROUND = 3;
    private static final double KIB_PER_MIB = 1024;

    @Override
    public String id() {
        return "start";
    }

    @Override
    public String title() {
        return "start to the first accepted message, then idle";
    }

    @Override
    public Entities entities() {
        return new Entities(1, 0);
    }

    @Override
    public int rounds(Sizes sizes) {
        return STARTS_PER_ROUND * sizes.rounds();
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        trial.findings().put(Figure.START_MS, trial.up(Entities.READY));
        Quiet.park(TimeUnit.SECONDS.toNanos(trial.sizes().idleSeconds()));
        trial.findings().put(Figure.IDLE_RSS_MIB, trial.cost().residentKiB() / KIB_PER_MIB);
    }
}
