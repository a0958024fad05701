/**
 * {@code ./jitney bench guard}: this build against the last release, in turns.
 *
 * <p>Read {@link dev.jitney.benchmarks.guard.GuardCommand} first, then {@link dev.jitney.benchmarks.guard.Workload} (the runs),
 * {@link dev.jitney.benchmarks.guard.Baseline} (the archive) and {@link dev.jitney.benchmarks.guard.Verdict} (the limits).
 */
@NullMarked
package dev.jitney.benchmarks.guard;

import org.jspecify.annotations.NullMarked;
