package dev.jitney.core.filter.value;

/** Conversion of instants and time spans to ticks of 100 ns, as .NET counts them: instants from 0001-01-01T00:00:00Z. */
public final class Ticks {
    public static final long PER_MS = 10_000;
    static final long PER_SECOND = 1_000 * PER_MS;

    /** 9999-12-31T23:59:59.9999999Z. */
    static final long INSTANT_MAX = 3_155_378_975_999_999_999L;

    /** 1970-01-01T00:00:00Z. */
    static final long EPOCH = 621_355_968_000_000_000L;

    private Ticks() {}

    public static boolean isInstant(long ticks) {
        return ticks >= 0 && ticks <= INSTANT_MAX;
    }

    /** Returns an instant in ticks; limited to the first and last instant of .NET. */
    public static long ofEpochMs(long ms) {
        if (ms > (INSTANT_MAX - EPOCH) / PER_MS) {
            return INSTANT_MAX;
        }
        return ms < -EPOCH / PER_MS ? 0 : EPOCH + ms * PER_MS;
    }

    public static long toEpochMs(long ticks) {
        return Math.floorDiv(ticks - EPOCH, PER_MS);
    }

    /** Returns a duration in ticks; limited to the largest number. */
    public static long ofMs(long ms) {
        if (ms > Long.MAX_VALUE / PER_MS) {
            return Long.MAX_VALUE;
        }
        return ms < Long.MIN_VALUE / PER_MS ? Long.MIN_VALUE : ms * PER_MS;
    }
}
