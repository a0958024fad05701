package dev.jitney.cluster.ratis;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Places in the log at which a restart may begin: no batch has parts on both sides (CL-7). It keeps a sample of them, because
 * a restart a few entries earlier only reads these entries again. Thread-safe.
 */
final class SafePoints {
    static final int KEPT_MAX = 2_048;

    private final ArrayDeque<LogPoint> points = new ArrayDeque<>();
    private long step = 64;
    private LogPoint latest;

    /** @param start where this process began */
    SafePoints(LogPoint start) {
        latest = start;
        points.add(start);
    }

    /** Adds the point behind an applied entry. */
    synchronized void add(LogPoint point) {
        latest = point;
        if (point.index() - points.getLast().index() >= step) {
            points.add(point);
            if (points.size() > KEPT_MAX) {
                thin();
            }
        }
    }

    private void thin() {
        List<LogPoint> all = new ArrayList<>(points);
        points.clear();
        for (int i = 0; i < all.size(); i += 2) {
            points.add(all.get(i));
        }
        step *= 2;
    }

    /** Returns the last point. */
    synchronized LogPoint latest() {
        return latest;
    }

    /** Returns the largest known point that is not behind an index, and drops the ones before it. */
    synchronized LogPoint floor(long index) {
        if (latest.index() <= index) {
            points.clear();
            points.add(latest);
            return latest;
        }
        LogPoint found = points.getFirst();
        while (!points.isEmpty() && points.getFirst().index() <= index) {
            found = points.removeFirst();
        }
        points.addFirst(found);
        return found;
    }

    /** Begins again at another point, after a checkpoint was installed. */
    synchronized void restart(LogPoint point) {
        points.clear();
        points.add(point);
        latest = point;
    }
}
