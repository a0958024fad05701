package dev.jitney.comparison.scenario;

import dev.jitney.benchmarks.load.BenchResult;
import dev.jitney.benchmarks.load.Mode;
import dev.jitney.benchmarks.load.Quiet;
import dev.jitney.comparison.broker.Entities;
import dev.jitney.comparison.result.Figure;
import dev.jitney.comparison.result.Findings;
import java.io.IOException;

/**
 * A number of messages sent to an empty queue, or received from a full one. The processor time is measured from an idle
 * broker to an idle broker, including deferred work.
 *
 * @param mode {@link Mode#SEND} or {@link Mode#RECEIVE}
 */
record CountedScenario(String id, String title, Mode mode) implements Scenario {

    @Override
    public Entities entities() {
        return new Entities(1, 0);
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        String queue = Entities.queue(0);
        long count = trial.sizes().count();
        trial.up(Entities.READY);
        trial.warmUp(queue);
        Quiet.await(trial.cost());
        if (mode == Mode.RECEIVE) {
            trial.warmUpBacklog(queue);
            // Messages of the warm-up may be there too; the count is the same.
            trial.measure(Plans.counted(Mode.SEND, queue, count));
            Quiet.await(trial.cost());
        }
        Trial.Meter meter = new Trial.Meter(trial.cost());
        BenchResult result = trial.measure(Plans.counted(mode, queue, count));
        Quiet.await(trial.cost());
        long messages = result.messages();
        Findings findings = trial.findings();
        findings.put(Figure.PER_SECOND, result.perSecond());
        findings.put(Figure.CPU_MICROS, meter.cpuMicros(messages));
        findings.put(Figure.CLIENT_CPU_MICROS, result.clientCpuNanos() / 1e3 / messages);
        findings.put(Figure.WRITTEN_BYTES, meter.written(messages));
        if (mode == Mode.SEND) {
            trial.keepLatencies(result);
        }
        trial.keepMemory();
    }
}
