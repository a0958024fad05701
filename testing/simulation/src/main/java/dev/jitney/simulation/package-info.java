/**
 * The simulator: the real core, runtime and store port on one thread, with repeatable random numbers, time and disks.
 * After each step a reference model checks the broker ({@code docs/reliability.md}).
 *
 * <p>Read {@link dev.jitney.simulation.run.Simulation} first, which runs one history. Then read {@link
 * dev.jitney.simulation.model.Ledger}, which checks it, and {@link dev.jitney.simulation.disk.SimulatedDisk}, which
 * injects disk faults. This package contains the classes that all of them need, and depends on none of them.
 */
@NullMarked
package dev.jitney.simulation;

import org.jspecify.annotations.NullMarked;
