/**
 * The reference model: the allowed batches of rows, and the allowed replies to clients.
 *
 * <p>The model reads the rows of a batch according to {@code docs/formats.md}, without the code of the broker, and
 * applies them to its state. A step that no rule allows is a {@link dev.jitney.simulation.Violation}. Read {@link
 * dev.jitney.simulation.model.Ledger} (called by the simulator) and {@link dev.jitney.simulation.model.ClientRequests}
 * first, then the packages {@code state}, {@code batch}, {@code answer}, {@code entity} and {@code row}. Each package
 * depends only on packages to its right: batch, answer, entity, state, row.
 *
 * <p>The simulator ({@code dev.jitney.simulation.run}) depends on this package. All of it runs on one thread.
 */
@NullMarked
package dev.jitney.simulation.model;

import org.jspecify.annotations.NullMarked;
