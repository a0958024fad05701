/**
 * The program {@code ./jitney simulate}: {@link dev.jitney.simulation.command.JitneySimulate} starts it, {@link
 * dev.jitney.simulation.command.SimulateCommand} runs seeds and tells what failed. Nothing depends on it.
 */
@NullMarked
package dev.jitney.simulation.command;

import org.jspecify.annotations.NullMarked;
