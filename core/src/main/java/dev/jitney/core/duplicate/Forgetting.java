package dev.jitney.core.duplicate;

import dev.jitney.core.DuplicateKey;
import dev.jitney.core.Record;
import dev.jitney.core.RowReader;
import java.util.List;

/** The deletion of accepted ids that have left the window, one generation at a time. */
public final class Forgetting {
    /**
     * The maximum number of ids that are deleted one by one. A larger generation is deleted with a range delete. Many
     * small range deletes, as many busy entities with short windows would cause, would slow down every later read of the
     * table.
     */
    static final int SINGLE_IDS_MAX = 512;

    private Forgetting() {}

    /**
     * Deletes the oldest generation if all its ids are outside the window; call again to continue. The work is bounded
     * even for a large generation.
     *
     * @param windowMs the current window
     */
    public static List<Record> decide(DuplicatesView history, long windowMs, long nowMs, RowReader rows) {
        if (history.nextForgetMs(windowMs) > nowMs) {
            return List.of();
        }
        long generationMs = history.oldestGeneration();
        List<DuplicateKey> ids = rows.acceptedIds(history.fragment(), generationMs, SINGLE_IDS_MAX + 1);
        boolean few = ids.size() <= SINGLE_IDS_MAX;
        return List.of(new Record.MessageIdsForgotten(generationMs, few ? ids : null));
    }
}
