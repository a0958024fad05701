/**
 * Disks that lose what was not synced, tear the last write, fill up, fail and stall, and the messaging store on them.
 *
 * <p>Depends on the store port and {@link dev.jitney.simulation.SeededRandom} only.
 */
@NullMarked
package dev.jitney.simulation.disk;

import org.jspecify.annotations.NullMarked;
