/**
 * Values in files and options: {@link dev.jitney.cli.value.Durations}, {@link dev.jitney.cli.value.Moments}, {@link dev.jitney.cli.value.TypedValues} (AMQP values as
 * JSON) and {@link dev.jitney.cli.value.Json} (one document per line). This package depends on no command and no connection;
 * all other packages may use it.
 */
@NullMarked
package dev.jitney.cli.value;

import org.jspecify.annotations.NullMarked;
