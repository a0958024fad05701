/**
 * Simulated disks with faults, and the messaging store on them. The faults: lost unsynced data, torn last writes, full
 * disks, failures, and stalled commits.
 *
 * <p>Depends only on the store port and {@link dev.jitney.simulation.SeededRandom}.
 */
@NullMarked
package dev.jitney.simulation.disk;

import org.jspecify.annotations.NullMarked;
