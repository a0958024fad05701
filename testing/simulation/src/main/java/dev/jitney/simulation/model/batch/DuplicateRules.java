package dev.jitney.simulation.model.batch;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.simulation.disk.Write;
import dev.jitney.simulation.model.row.RowBytes;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.StoredEntity;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The checks of duplicate detection: a fragment accepts an id at most once in a window (DUP-2), and keeps it as long
 * (DUP-11). An id that was deleted in time may be accepted again, even if the clock is set back afterwards.
 */
final class DuplicateRules {
    private static final int GENERATION_AT = 6;

    /** The place of the type and the text of an id in a key. */
    private static final int ID_AT = 14;

    private static final int TIME_AT = 1;

    private final ModelState model;
    private final Map<Id, Accepted> acceptances = new HashMap<>();

    private record Id(long fragment, String text) {}

    /** The last acceptance of an id. */
    private record Accepted(long generation, long timeMs) {}

    DuplicateRules(ModelState model) {
        this.model = model;
    }

    void follow(Write write, long nowMs) {
        byte[] key = write.key();
        if (key.length < ID_AT) {
            return; // all ids of an entity, which is deleted
        }
        long fragment = RowBytes.entityAndFragment(key);
        StoredEntity entity = model.entities().get(fragment);
        if (entity == null || entity.gone) {
            return;
        }
        switch (write.kind()) {
            case PUT ->
                accept(
                        id(key),
                        new Accepted(generation(key), RowBytes.int64(write.argument(), TIME_AT)),
                        windowMs(entity));
            case DELETE -> {
                Accepted accepted = acceptances.get(id(key));
                if (accepted != null && accepted.generation == generation(key)) {
                    acceptances.remove(id(key));
                    forget(id(key), accepted, nowMs, windowMs(entity));
                }
            }
            case DELETE_RANGE ->
                acceptances.entrySet().removeIf(one -> {
                    boolean forgotten =
                            one.getKey().fragment == fragment && one.getValue().generation == generation(key);
                    if (forgotten) {
                        forget(one.getKey(), one.getValue(), nowMs, windowMs(entity));
                    }
                    return forgotten;
                });
        }
    }

    private static Id id(byte[] key) {
        return new Id(
                RowBytes.entityAndFragment(key), new String(key, ID_AT, key.length - ID_AT, StandardCharsets.UTF_8));
    }

    private static long generation(byte[] key) {
        return RowBytes.int64(key, GENERATION_AT);
    }

    private static long windowMs(StoredEntity entity) {
        return Math.min(entity.settings.duplicatesMs(), entity.before.duplicatesMs());
    }

    private void accept(Id id, Accepted now, long windowMs) {
        Accepted before = acceptances.put(id, now);
        if (before != null) {
            check(
                    now.timeMs - before.timeMs >= windowMs,
                    () -> "Expected an id that was accepted at " + before.timeMs + " to be a duplicate for " + windowMs
                            + " ms (DUP-2), but it was accepted again at " + now.timeMs,
                    id);
        }
    }

    private static void forget(Id id, Accepted accepted, long nowMs, long windowMs) {
        check(
                nowMs - accepted.timeMs >= windowMs,
                () -> "Expected an id that was accepted at " + accepted.timeMs + " to be kept for " + windowMs
                        + " ms (DUP-11), but it was deleted at " + nowMs,
                id);
    }
}
