package dev.jitney.runtime.rows;

import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Lower bounds of the messages in the lanes: below them there is no row. A scan from the beginning of a lane begins there. Without that it would
 * pass the marks of all deleted rows that the store has not removed yet, which can take a second for a million of them.
 *
 * <p>A bound is known after a scan that found a wide gap. A new row below it lowers it. For the shard's thread.
 */
final class FirstRows {
    /** The smallest gap that is worth keeping a bound. */
    private static final long GAP_MIN = 16;

    private static final int BOUNDS_MAX = 10_000;

    /** No bounds, for readers whose rows others change. */
    static final FirstRows NONE = new FirstRows(0);

    private record Place(FragmentId fragment, Lane lane) {}

    /** The bounds, with the one that was used last at the end. */
    private final LinkedHashMap<Place, Long> bounds = new LinkedHashMap<>(16, 0.75f, true);

    private final int boundsMax;

    FirstRows() {
        this(BOUNDS_MAX);
    }

    private FirstRows(int boundsMax) {
        this.boundsMax = boundsMax;
    }

    /** Returns the number from which on a scan may begin: the given number or a larger one. */
    long start(FragmentId fragment, Lane lane, long from) {
        return bounds.isEmpty() ? from : Math.max(from, bound(new Place(fragment, lane)));
    }

    private long bound(Place place) {
        return bounds.getOrDefault(place, 0L);
    }

    /**
     * Notes the first committed row of a scan.
     *
     * @param from where the scan has begun
     * @param first the number of the row, or {@link Long#MAX_VALUE} if there is none in the lane
     */
    void found(FragmentId fragment, Lane lane, long from, long first) {
        if (boundsMax == 0 || first - from < GAP_MIN) {
            return;
        }
        Place place = new Place(fragment, lane);
        if (from <= bound(place)) {
            bounds.put(place, first);
            if (bounds.size() > boundsMax) {
                bounds.remove(bounds.keySet().iterator().next());
            }
        }
    }

    /** Notes that a row is added. */
    void added(FragmentId fragment, Lane lane, long number) {
        if (!bounds.isEmpty()) {
            bounds.computeIfPresent(new Place(fragment, lane), (place, bound) -> Math.min(bound, number));
        }
    }

    /** Removes all bounds. */
    void clear() {
        bounds.clear();
    }

    /** Returns the bounds by their lanes, for tests. */
    Map<?, Long> bounds() {
        return bounds;
    }
}
