/** Tests of the raw client itself. */
@NullMarked
package dev.jitney.testing.amqp;

import org.jspecify.annotations.NullMarked;
