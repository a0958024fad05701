/** {@code ./jitney simulate}. Nobody depends on it. */
@NullMarked
package dev.jitney.simulation.cli;

import org.jspecify.annotations.NullMarked;
