/**
 * The values that filters and actions work with: their types, how they compare and compute, and their encodings (semantics
 * chapter 15). Nothing here knows rules or messages.
 *
 * <p>Read in this order: {@link dev.jitney.core.filter.value.Value}, {@code Promotion} (which type two operands have in common),
 * {@code Comparison}, {@code Arithmetic}; then {@code ValueDecoder} and {@code ValueEncoder} (values in messages), and
 * {@code EncodedRuleValues} (values in rules).
 */
@NullMarked
package dev.jitney.core.filter.value;

import org.jspecify.annotations.NullMarked;
