package dev.jitney.paired;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A change of the state of a queue or topic of the primary.
 *
 * @param path the path as its first sender wrote it
 * @param cause the failure that caused the change, or null
 * @param at the time on the factory's clock
 */
public record PathStateChange(
        String path, PathState from, PathState to, @Nullable Throwable cause, Instant at) {}
