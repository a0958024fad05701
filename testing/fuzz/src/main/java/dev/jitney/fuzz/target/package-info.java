/**
 * What is fed with octets: one class per {@link dev.jitney.fuzz.engine.FuzzTarget}, with the generator of its inputs and
 * its idea of a right answer. {@link dev.jitney.fuzz.target.Targets} has the list.
 */
@NullMarked
package dev.jitney.fuzz.target;

import org.jspecify.annotations.NullMarked;
