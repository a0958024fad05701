package dev.jitney.paired;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A queue or topic of the primary has changed its state.
 *
 * @param path as the first sender of it wrote it
 * @param cause the failure behind it, if there is one
 * @param at by the factory's clock
 */
public record PathStateChange(
        String path, PathState from, PathState to, @Nullable Throwable cause, Instant at) {}
