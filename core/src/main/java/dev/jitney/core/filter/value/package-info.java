/**
 * The values of filters and actions: their types, comparison and arithmetic, and their encodings (semantics chapter 15).
 * This package does not depend on rules or messages.
 *
 * <p>Read in this order: {@link dev.jitney.core.filter.value.Value}, {@code Promotion} (the common type of two operands),
 * {@code Comparison}, {@code Arithmetic}; then {@code ValueDecoder} and {@code ValueEncoder} (values in messages), and
 * {@code EncodedRuleValues} (values in rules).
 */
@NullMarked
package dev.jitney.core.filter.value;

import org.jspecify.annotations.NullMarked;
