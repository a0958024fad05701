/**
 * The reference model: what every batch may do that becomes durable, and what clients may be told.
 *
 * <p>It reads the rows of a batch by {@code docs/formats.md}, not with the broker's code, and follows them from the state it
 * knows: a step that no rule allows is a {@link dev.jitney.simulation.Violation}. Read {@link
 * dev.jitney.simulation.model.Ledger}, {@link dev.jitney.simulation.model.BatchJudge}, then
 * {@link dev.jitney.simulation.model.Deliveries} and {@link dev.jitney.simulation.model.Answers}.
 */
@NullMarked
package dev.jitney.simulation.model;

import org.jspecify.annotations.NullMarked;
