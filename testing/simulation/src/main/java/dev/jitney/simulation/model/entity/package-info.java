/**
 * The entities of the model: {@code EntityRows} and {@code Fragments} follow the rows of entities, and {@code Rules}
 * those of rules. {@code Routes} has the possible destinations of messages, and {@code IdleDeletion} the entities that
 * may be deleted when idle.
 *
 * <p>The packages {@code answer} and {@code batch} depend on it.
 */
@NullMarked
package dev.jitney.simulation.model.entity;

import org.jspecify.annotations.NullMarked;
