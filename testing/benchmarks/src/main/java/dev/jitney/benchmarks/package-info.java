/**
 * Measurements of the broker: {@code bench} from outside over AMQP, {@code core} and {@code store} from inside. No
 * other module may depend on this package.
 */
@NullMarked
package dev.jitney.benchmarks;

import org.jspecify.annotations.NullMarked;
