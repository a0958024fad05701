/**
 * The commands of {@code ./jitney bench}. Read {@link dev.jitney.benchmarks.bench.BenchCommand} first (what can be asked,
 * the phases of a run), then {@code OwnServer}, {@code FanoutCommand} (a topic and a queue compared) and the other commands.
 * The load itself is in {@code dev.jitney.benchmarks.load}.
 */
@NullMarked
package dev.jitney.benchmarks.bench;

import org.jspecify.annotations.NullMarked;
