package dev.jitney.comparison.scenario;

import dev.jitney.comparison.broker.Entities;
import dev.jitney.comparison.result.Figure;
import java.io.IOException;

/**
 * The latency at a rate that is the same for all brokers.
 *
 * @param rate messages per second, or 0 for half of the maximum rate of the broker that determines it
 */
record PacedScenario(String id, String title, double rate) implements Scenario {

    @Override
    public Entities entities() {
        return new Entities(1, 0);
    }

    @Override
    public boolean paced() {
        return rate == 0;
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        String queue = Entities.queue(0);
        trial.up(Entities.READY);
        trial.warmUp(queue);
        double perSecond = rate;
        if (perSecond == 0) {
            if (!trial.rates().knowsHalf()) {
                trial.rates()
                        .saturatesAt(
                                trial.measure(Plans.bothOf(queue, trial.sizes().seconds()))
                                        .perSecond());
            }
            perSecond = trial.rates().half();
        }
        trial.findings().put(Figure.RATE, perSecond);
        FlowScenario.keep(trial, trial.measure(Plans.paced(queue, perSecond, trial.sizes())));
        trial.keepDisk(perSecond);
        trial.keepMemory();
    }
}
