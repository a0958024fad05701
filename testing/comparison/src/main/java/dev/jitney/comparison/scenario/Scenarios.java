package dev.jitney.comparison.scenario;

import dev.jitney.benchmarks.load.Mode;
import dev.jitney.comparison.scenario.Plans.Links;
import java.util.ArrayList;
import java.util.List;

/** All scenarios, in the order of the report. */
public final class Scenarios {
    private static final int LARGE_BYTES = 16 << 10;
    private static final int RATE = 2_000;

    private Scenarios() {}

    public static List<Scenario> all(Sizes sizes) {
        List<Scenario> all = new ArrayList<>(List.of(
                new CountedScenario("send", "send only, 2 connections", Mode.SEND),
                new CountedScenario("receive", "receive only, 2 connections", Mode.RECEIVE),
                FlowScenario.queues(
                        "both-1", "send and receive, 1 connection", 1, Links.of(1), Plans.BODY_BYTES, 2_000),
                FlowScenario.queues("both-8", "send and receive, 8 connections", 1, Links.of(8), Plans.BODY_BYTES, 250),
                FlowScenario.queues(
                        "large", "send and receive, 16 KiB, 2 connections", 1, Links.of(2), LARGE_BYTES, 100),
                FlowScenario.queues(
                        "queues-100",
                        "send and receive, 100 queues, 8 connections",
                        100,
                        new Links(8, 100, 100),
                        Plans.BODY_BYTES,
                        20),
                FlowScenario.topic("fanout-10", "topic with 10 subscriptions, all received, 2 connections", 10, 500),
                new PacedScenario("latency-2000", "2,000 messages/s, 2 connections", RATE),
                new PacedScenario("latency-half", "half of saturation, 2 connections", 0),
                new StartScenario()));
        sizes.backlogs().forEach(count -> all.add(new BacklogScenario(count)));
        return all;
    }
}
