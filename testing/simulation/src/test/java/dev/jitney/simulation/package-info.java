/** Tests of the simulator, and its run in the build. */
@NullMarked
package dev.jitney.simulation;

import org.jspecify.annotations.NullMarked;
