/**
 * The cost of a message inside the broker, without network, disk and threads: the core as a function, and the rows of
 * stored messages. {@link dev.jitney.benchmarks.core.CoreBenchmarks} runs them all.
 */
@NullMarked
package dev.jitney.benchmarks.core;

import org.jspecify.annotations.NullMarked;
