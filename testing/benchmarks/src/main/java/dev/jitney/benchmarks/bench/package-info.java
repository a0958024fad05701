/**
 * The commands of {@code ./jitney bench}. Read {@link dev.jitney.benchmarks.bench.BenchCommand} first (the options, the
 * phases of a run), then {@code OwnServer}, {@code FanoutCommand} (compares a topic with a queue) and the other
 * commands. The load itself is in {@code dev.jitney.benchmarks.load}.
 */
@NullMarked
package dev.jitney.benchmarks.bench;

import org.jspecify.annotations.NullMarked;
