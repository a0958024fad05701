package dev.jitney.comparison.scenario;

import dev.jitney.benchmarks.load.BenchPlan;
import dev.jitney.benchmarks.load.BenchResult;
import dev.jitney.benchmarks.load.Routes;
import dev.jitney.comparison.broker.Entities;
import dev.jitney.comparison.result.Figure;
import dev.jitney.comparison.result.Findings;
import java.io.IOException;
import java.util.function.Function;

/**
 * Simultaneous sends and receives on a broker after a warm-up. Figures are per message sent. With a topic, each message
 * sent arrives at all subscriptions.
 *
 * @param plan returns the plan for a broker
 */
record FlowScenario(String id, String title, Entities entities, Function<Trial, BenchPlan> plan) implements Scenario {

    /** Returns a scenario through queues. */
    static FlowScenario queues(String id, String title, int queues, Plans.Links links, int bodyBytes, int inFlight) {
        Entities entities = new Entities(queues, 0);
        int maxBacklog = 2 * inFlight * links.senders() + inFlight;
        return new FlowScenario(
                id,
                title,
                entities,
                trial -> Plans.both(entities.throughQueues(), links, bodyBytes, inFlight, maxBacklog, trial.sizes()));
    }

    /** Returns a scenario into a topic and out of all its subscriptions. */
    static FlowScenario topic(String id, String title, int subscriptions, int inFlight) {
        Entities entities = new Entities(0, subscriptions);
        Plans.Links links = new Plans.Links(2, 2, subscriptions);
        return new FlowScenario(
                id,
                title,
                entities,
                trial -> Plans.both(
                        Routes.fan(
                                Entities.TOPIC,
                                entities.subscriptionNames().stream()
                                        .map(trial.server()::subscription)
                                        .toList()),
                        links,
                        Plans.BODY_BYTES,
                        inFlight,
                        4 * inFlight,
                        trial.sizes()));
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        trial.up(Entities.READY);
        keep(trial, trial.measure(plan.apply(trial)));
        trial.keepMemory();
    }

    /** Keeps the rate, costs and latencies of a run that sends and receives. */
    static void keep(Trial trial, BenchResult result) {
        Findings findings = trial.findings();
        double sent = result.accepted();
        findings.put(Figure.PER_SECOND, sent / result.seconds());
        findings.put(Figure.CPU_MICROS, result.cpuNanos() / 1e3 / sent);
        findings.put(Figure.CLIENT_CPU_MICROS, result.clientCpuNanos() / 1e3 / sent);
        findings.put(Figure.WRITTEN_BYTES, result.writtenBytes() / sent);
        trial.keepLatencies(result);
    }
}
