/**
 * The reference model: the batches that may become durable, and the answers that clients may be given.
 *
 * <p>It reads the rows of a batch by {@code docs/formats.md}, not with the broker's code, and follows them from the state it
 * knows: a step that no rule allows is a {@link dev.jitney.simulation.Violation}. Read {@link
 * dev.jitney.simulation.model.Ledger} (everything the simulator tells it) and {@link
 * dev.jitney.simulation.model.ClientRequests} first, then the packages {@code state}, {@code batch}, {@code answer},
 * {@code entity} and {@code row}; each depends on those below it only: batch, answer, entity, state, row.
 *
 * <p>The simulator ({@code dev.jitney.simulation.run}) depends on it. Everything is used by one thread.
 */
@NullMarked
package dev.jitney.simulation.model;

import org.jspecify.annotations.NullMarked;
