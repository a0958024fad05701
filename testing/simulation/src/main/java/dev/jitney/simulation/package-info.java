/**
 * The simulator: the real core, runtime and store port on one thread, with chance, time and disks that can be repeated, held
 * against a reference model after every step ({@code docs/reliability.md}).
 *
 * <p>Read {@link dev.jitney.simulation.run.Simulation} first, which is one history; then
 * {@link dev.jitney.simulation.model.Ledger}, which judges it, and {@link dev.jitney.simulation.disk.SimulatedDisk}, which makes
 * it hard. This package has what all of them need and knows none of them.
 */
@NullMarked
package dev.jitney.simulation;

import org.jspecify.annotations.NullMarked;
