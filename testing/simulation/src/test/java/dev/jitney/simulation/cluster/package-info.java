/** Tests of the simulated cluster. */
@NullMarked
package dev.jitney.simulation.cluster;

import org.jspecify.annotations.NullMarked;
