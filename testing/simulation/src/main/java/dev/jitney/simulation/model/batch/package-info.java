/**
 * Judges batches of rows. Read {@code BatchJudge} first (every row), then {@code ChangeReasons} (why a message may come, go, move
 * or change), {@code UnlockedRemovals}, {@code Publications} and {@code Outboxes}.
 *
 * <p>The entry of the model depends on it.
 */
@NullMarked
package dev.jitney.simulation.model.batch;

import org.jspecify.annotations.NullMarked;
