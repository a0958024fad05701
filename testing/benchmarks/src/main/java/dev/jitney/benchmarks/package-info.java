/**
 * Measures the broker: {@code bench} from outside over AMQP, {@code core} and {@code store} from inside. Who may depend on
 * it: nobody.
 */
@NullMarked
package dev.jitney.benchmarks;

import org.jspecify.annotations.NullMarked;
