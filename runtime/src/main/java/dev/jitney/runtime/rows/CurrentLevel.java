package dev.jitney.runtime.rows;

import dev.jitney.runtime.store.FormatLevels;
import java.util.concurrent.atomic.AtomicInteger;

/** The level in whose formats a broker writes rows (CL-60). It only rises. Thread-safe. */
public final class CurrentLevel {
    private final AtomicInteger level;

    /** @param level the level of the stores when the broker opens them */
    public CurrentLevel(int level) {
        this.level = new AtomicInteger(level);
    }

    /** Creates a level that is always {@link FormatLevels#FIRST}. */
    static CurrentLevel first() {
        return new CurrentLevel(FormatLevels.FIRST);
    }

    /** Returns the current level. */
    public int get() {
        return level.get();
    }

    /** Notes that the row with a level is durable. From now on, all shards may write in its formats. */
    public void raised(int to) {
        level.accumulateAndGet(to, Math::max);
    }
}
