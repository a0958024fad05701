/** Tests of the simulator, and its run in the build. */
@NullMarked
package dev.jitney.simulation.run;

import org.jspecify.annotations.NullMarked;
