/**
 * The engine that runs a {@link dev.jitney.fuzz.engine.FuzzTarget}. {@link dev.jitney.fuzz.engine.Fuzzer} generates
 * inputs from a seed, runs them, and watches time, memory, stack and the log. It reduces a failing input, and
 * {@link dev.jitney.fuzz.engine.Corpus} keeps the result. With {@link dev.jitney.fuzz.engine.Guided}, another engine
 * chooses inputs by the code that they reach. Independent of the broker.
 */
@NullMarked
package dev.jitney.fuzz.engine;

import org.jspecify.annotations.NullMarked;
