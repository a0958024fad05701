/** The entry point of the container image: the command {@code jitney} without a shell. */
@NullMarked
package dev.jitney.distribution.container;

import org.jspecify.annotations.NullMarked;
