package dev.jitney.paired.internal.syphon;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which queues and topics of the primary take no messages at the moment, for all workers of a syphon (PAIR-44). After a
 * failure a destination is left alone for the retry interval, after the next for twice as long, and so on up to half a
 * minute; then one worker tries it. For any thread.
 */
public final class Destinations {
    /** Half the lock duration of a backlog queue, so that each lock sees a try. */
    private static final Duration PAUSE_MAX = Duration.ofSeconds(30);

    private final Supplier<Instant> clock;
    private final Duration firstPause;
    private final Duration pauseMax;
    private final Map<String, Away> away = new HashMap<>();

    /**
     * @param clock the time of the pairing
     * @param firstPause how long a destination is left alone after its first failure
     */
    public Destinations(Supplier<Instant> clock, Duration firstPause) {
        this.clock = clock;
        this.firstPause = firstPause;
        this.pauseMax = firstPause.compareTo(PAUSE_MAX) > 0 ? firstPause : PAUSE_MAX;
    }

    /**
     * Whether the caller may send there now. When it may, it tells how that ended with {@link #took} or {@link #failed}.
     */
    public synchronized boolean enter(String path) {
        Away known = away.get(key(path));
        if (known == null) {
            return true;
        }
        if (known.tried || clock.get().isBefore(known.until)) {
            return false;
        }
        known.tried = true;
        return true;
    }

    /** The destination has answered: it took messages, or refused one for what that is. */
    public synchronized void took(String path) {
        away.remove(key(path));
    }

    /** @return whether this is news: the destination was not away so far */
    public synchronized boolean failed(String path) {
        Away known = away.get(key(path));
        if (known == null) {
            away.put(key(path), new Away(firstPause, clock.get().plus(firstPause)));
            return true;
        }
        if (known.tried) {
            // Otherwise it is one of several that were under way when the first one failed.
            known.tried = false;
            Duration twice = known.pause.multipliedBy(2);
            known.pause = twice.compareTo(pauseMax) < 0 ? twice : pauseMax;
            known.until = clock.get().plus(known.pause);
        }
        return false;
    }

    /** When the destination is to be tried next, or null if it is not away. */
    public synchronized @Nullable Instant nextTry(String path) {
        Away known = away.get(key(path));
        if (known == null) {
            return null;
        }
        return known.tried ? clock.get().plus(firstPause) : known.until;
    }

    /** Whether it has failed, and is not to be tried yet. */
    public synchronized boolean isLeftAlone(String path) {
        Away known = away.get(key(path));
        return known != null && clock.get().isBefore(known.until);
    }

    private static String key(String path) {
        return path.toLowerCase(Locale.ROOT);
    }

    private static final class Away {
        Duration pause;
        Instant until;
        /** Whether somebody tries it now. */
        boolean tried;

        Away(Duration pause, Instant until) {
            this.pause = pause;
            this.until = until;
        }
    }
}
