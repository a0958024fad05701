package dev.jitney.core.duplicate;

import dev.jitney.core.AcceptedId;
import dev.jitney.core.DuplicateKey;
import dev.jitney.core.FragmentId;
import dev.jitney.core.RowReader;
import org.jspecify.annotations.Nullable;

/** The message ids a fragment has taken, as decisions see them. Nothing here changes them. */
public interface DuplicatesView {

    FragmentId fragment();

    /**
     * How an id was accepted inside the window, or null if it was not.
     *
     * @param windowMs the window in force now, milliseconds
     * @param rows reads ids that memory does not have
     */
    @Nullable
    AcceptedId find(DuplicateKey key, long nowMs, long windowMs, RowReader rows);

    /** The generation for an id that is accepted now, named by the time when it began. */
    long generationFor(long nowMs, long windowMs);

    /** When the oldest generation is to be forgotten, milliseconds since the epoch; {@link Long#MAX_VALUE} if never. */
    long nextForgetMs(long windowMs);

    /** The oldest generation; there is one. */
    long oldestGeneration();
}
