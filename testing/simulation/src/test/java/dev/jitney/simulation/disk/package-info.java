/** Tests of the simulated store. */
@NullMarked
package dev.jitney.simulation.disk;

import org.jspecify.annotations.NullMarked;
