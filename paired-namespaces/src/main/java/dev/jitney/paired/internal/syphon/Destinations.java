package dev.jitney.paired.internal.syphon;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The queues and topics of the primary that currently accept no messages, for all workers of a syphon (PAIR-44). After a failure
 * a destination is paused for the retry interval, after the next failure for twice as long, and so on up to 30 seconds. Then one
 * worker tries it. Thread-safe.
 */
public final class Destinations {
    /** Half the lock duration of a backlog queue, so that there is an attempt within each lock. */
    private static final Duration PAUSE_MAX = Duration.ofSeconds(30);

    private final Supplier<Instant> clock;
    private final Duration firstPause;
    private final Duration pauseMax;
    private final Map<String, Away> away = new HashMap<>();

    /**
     * @param clock the clock of the pairing
     * @param firstPause the pause of a destination after its first failure
     */
    public Destinations(Supplier<Instant> clock, Duration firstPause) {
        this.clock = clock;
        this.firstPause = firstPause;
        this.pauseMax = firstPause.compareTo(PAUSE_MAX) > 0 ? firstPause : PAUSE_MAX;
    }

    /**
     * Returns whether the caller may send to the destination now. If so, the caller must report the result with {@link #took} or
     * {@link #failed}.
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

    /** Records a response of the destination: it accepted messages, or refused one because of its content. */
    public synchronized void took(String path) {
        away.remove(key(path));
    }

    /** @return whether this is the first failure of the destination */
    public synchronized boolean failed(String path) {
        Away known = away.get(key(path));
        if (known == null) {
            away.put(key(path), new Away(firstPause, clock.get().plus(firstPause)));
            return true;
        }
        if (known.tried) {
            // Otherwise the failure is from a send that was in progress when the first one failed.
            known.tried = false;
            Duration twice = known.pause.multipliedBy(2);
            known.pause = twice.compareTo(pauseMax) < 0 ? twice : pauseMax;
            known.until = clock.get().plus(known.pause);
        }
        return false;
    }

    /** Returns the time of the next attempt, or null if the destination is available. */
    public synchronized @Nullable Instant nextTry(String path) {
        Away known = away.get(key(path));
        if (known == null) {
            return null;
        }
        return known.tried ? clock.get().plus(firstPause) : known.until;
    }

    /** Returns whether the destination has failed and its pause has not ended. */
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
        /** True while a worker tries it. */
        boolean tried;

        Away(Duration pause, Instant until) {
            this.pause = pause;
            this.until = until;
        }
    }
}
