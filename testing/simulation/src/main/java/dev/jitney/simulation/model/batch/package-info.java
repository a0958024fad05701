/**
 * Judges batches of rows. Read {@code BatchJudge} first (all rows), then {@code ChangeReasons} (the reasons for new,
 * removed, moved and changed messages), {@code UnlockedRemovals}, {@code Publications} and {@code Outboxes}.
 *
 * <p>The package {@code dev.jitney.simulation.model} depends on it.
 */
@NullMarked
package dev.jitney.simulation.model.batch;

import org.jspecify.annotations.NullMarked;
