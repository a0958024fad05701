/**
 * The load and its measurement. In reading order: {@code BenchPlan} (the plan of a run), {@code BenchRun} (one
 * measurement), {@code SendingLink} and {@code ReceivingLink} (one link each), {@code Pacer} (the open loop of the
 * latency mode), {@code BenchResult}, {@code BacklogWarmUp}; then {@code SendingCosts}, {@code SessionFill} with {@code SessionTrips}, and
 * {@code QueueCreation}.
 *
 * <p>The commands of {@code ./jitney bench} and the comparison with other brokers depend on this package.
 */
@NullMarked
package dev.jitney.benchmarks.load;

import org.jspecify.annotations.NullMarked;
