/**
 * Reads rows by {@code docs/formats.md}, without the code of the broker. Read {@code RowBytes} first, then {@code
 * PropertyBytes} and {@code VisibleProperties} (the properties of messages that clients see), {@code RuleBytes} and
 * {@code PartitionHash}.
 *
 * <p>The other packages of the model depend on it.
 */
@NullMarked
package dev.jitney.simulation.model.row;

import org.jspecify.annotations.NullMarked;
