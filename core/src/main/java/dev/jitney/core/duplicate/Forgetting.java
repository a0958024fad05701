package dev.jitney.core.duplicate;

import dev.jitney.core.DuplicateKey;
import dev.jitney.core.Record;
import dev.jitney.core.RowReader;
import java.util.List;

/** What time does to accepted ids: those that have left the window go, a generation at a time. */
public final class Forgetting {
    /**
     * A generation of more ids goes with a range delete. One of fewer goes id by id: many range deletes that cover little
     * each, as many busy entities with short windows would leave, cost every later look into the table.
     */
    static final int SINGLE_IDS_MAX = 512;

    private Forgetting() {}

    /**
     * Forgets the oldest generation if none of its ids counts any more; deciding again continues. The work is bounded, how
     * many ids the generation may have.
     *
     * @param windowMs the window in force now
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
