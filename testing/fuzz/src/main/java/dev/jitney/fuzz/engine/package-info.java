/**
 * What runs a {@link dev.jitney.fuzz.engine.FuzzTarget}: {@link dev.jitney.fuzz.engine.Fuzzer} makes inputs from a seed,
 * runs them one after the other and watches what no target can see by itself (time, memory, stack, the log);
 * {@link dev.jitney.fuzz.engine.Minimiser} makes a failing input small, {@link dev.jitney.fuzz.engine.Corpus} keeps it,
 * {@link dev.jitney.fuzz.engine.Guided} has another engine choose inputs by the code they reach. Knows nothing of the
 * broker.
 */
@NullMarked
package dev.jitney.fuzz.engine;

import org.jspecify.annotations.NullMarked;
