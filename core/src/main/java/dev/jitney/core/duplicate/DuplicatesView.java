package dev.jitney.core.duplicate;

import dev.jitney.core.AcceptedId;
import dev.jitney.core.DuplicateKey;
import dev.jitney.core.FragmentId;
import dev.jitney.core.RowReader;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A read-only view of the message ids that a fragment has accepted, for decisions. */
public interface DuplicatesView {

    FragmentId fragment();

    /**
     * Returns the accepted id within the window, or null if it was not accepted.
     *
     * @param windowMs the current window, milliseconds
     * @param rows reads ids that are not in memory
     */
    @Nullable
    AcceptedId find(DuplicateKey key, long nowMs, long windowMs, RowReader rows);

    /** Returns the generation for an id that is accepted now, named by its start time. */
    long generationFor(long nowMs, long windowMs);

    /**
     * Returns the time at which the oldest generation can be deleted, milliseconds since the epoch;
     * {@link Long#MAX_VALUE} for never.
     */
    long nextForgetMs(long windowMs);

    /** Returns all generations, oldest first. */
    List<Long> generations();

    /** Returns the ids of a generation that are accepted but not stored yet. */
    Set<DuplicateKey> uncommitted(long generationMs);

    /** Returns the oldest generation, which must exist. */
    long oldestGeneration();
}
