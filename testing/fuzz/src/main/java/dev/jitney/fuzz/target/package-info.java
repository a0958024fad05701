/**
 * The fuzzed components: one class per {@link dev.jitney.fuzz.engine.FuzzTarget}, with the choice of its inputs and its
 * check of the answer. {@link dev.jitney.fuzz.target.Targets} has the list; {@code dev.jitney.fuzz.input} generates the
 * inputs.
 */
@NullMarked
package dev.jitney.fuzz.target;

import org.jspecify.annotations.NullMarked;
