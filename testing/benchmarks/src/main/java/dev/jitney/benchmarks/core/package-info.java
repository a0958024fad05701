/**
 * What a message costs inside the broker, without network, disk and threads: the core as a function, and the rows it is
 * stored as. {@link dev.jitney.benchmarks.core.CoreBenchmarks} runs them all.
 */
@NullMarked
package dev.jitney.benchmarks.core;

import org.jspecify.annotations.NullMarked;
