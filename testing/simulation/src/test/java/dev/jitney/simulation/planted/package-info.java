/**
 * Proves that the simulator finds bugs: faults are planted into the broker, one at a time, and each must be found.
 *
 * <p>Reading order: {@link dev.jitney.simulation.planted.PlantedFault}, {@link dev.jitney.simulation.planted.PlantedFaultsTest}.
 */
@NullMarked
package dev.jitney.simulation.planted;

import org.jspecify.annotations.NullMarked;
