/** Tests of the simulator, and the simulation runs of the build. */
@NullMarked
package dev.jitney.simulation.run;

import org.jspecify.annotations.NullMarked;
