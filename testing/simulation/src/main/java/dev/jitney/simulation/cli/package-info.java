/** The command line of {@code ./jitney simulate}. No other package depends on it. */
@NullMarked
package dev.jitney.simulation.cli;

import org.jspecify.annotations.NullMarked;
