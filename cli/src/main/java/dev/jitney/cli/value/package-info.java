/**
 * What stands in files and behind options: {@link dev.jitney.cli.value.Durations},
 * {@link dev.jitney.cli.value.TypedValues} (AMQP values as JSON and back) and {@link dev.jitney.cli.value.Json}, one
 * document a line. It knows no command and no connection; all others may use it.
 */
@NullMarked
package dev.jitney.cli.value;

import org.jspecify.annotations.NullMarked;
