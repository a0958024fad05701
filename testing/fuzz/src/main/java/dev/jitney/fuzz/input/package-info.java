/**
 * Generators of inputs: well-formed values, frames, requests and texts. The targets use them unchanged or mutated. Read
 * {@code WireValues} and {@code Frames} first (AMQP), then {@code Prelude} and {@code AmqpRequests},
 * {@code HttpRequests}, and the texts: {@code SqlTexts}, {@code TokenTexts}, {@code AtomTexts}.
 *
 * <p>{@code dev.jitney.fuzz.target} depends on it.
 */
@NullMarked
package dev.jitney.fuzz.input;

import org.jspecify.annotations.NullMarked;
