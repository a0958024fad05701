package dev.jitney.simulation;

/** Random numbers that can be repeated: SplitMix64 (Steele, Lea, Flood, 2014). For one thread. */
public final class SeededRandom {
    private static final long GAMMA = 0x9e3779b97f4a7c15L;

    private long state;

    public SeededRandom(long seed) {
        state = seed;
    }

    /** The random numbers of one event in the history of a seed, whatever became of the events before it. */
    public static SeededRandom of(long seed, long event) {
        return new SeededRandom(mix(seed * GAMMA + mix(event)));
    }

    public long nextLong() {
        state += GAMMA;
        return mix(state);
    }

    /** A number from 0 to {@code bound} - 1. */
    public int below(int bound) {
        return (int) Math.floorMod(nextLong(), (long) bound);
    }

    /** A number from {@code from} to {@code to}, both included. */
    public long between(long from, long to) {
        return from + Math.floorMod(nextLong(), to - from + 1);
    }

    /** True in so many of a thousand cases. */
    public boolean perMille(int cases) {
        return below(1_000) < cases;
    }

    @SafeVarargs
    public final <T> T oneOf(T... choices) {
        return choices[below(choices.length)];
    }

    /** A number that has every bit of another one in all of its own. */
    public static long mix(long z) {
        long y = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        y = (y ^ (y >>> 27)) * 0x94d049bb133111ebL;
        return y ^ (y >>> 31);
    }
}
