/**
 * The load generator behind {@code ./jitney bench}. In reading order: {@link
 * dev.jitney.benchmarks.bench.BenchCommand} (what can be asked), {@code BenchRun} (one measurement), {@code SendingLink} and
 * {@code ReceivingLink} (what a link does), {@code Pacer} (the open loop of the latency mode), {@code BenchResult};
 * then {@code FanoutCommand} (a topic and a queue compared) and {@code SendingCosts}.
 */
@NullMarked
package dev.jitney.benchmarks.bench;

import org.jspecify.annotations.NullMarked;
