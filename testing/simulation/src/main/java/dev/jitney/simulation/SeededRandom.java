package dev.jitney.simulation;

/** A repeatable random number generator: SplitMix64 (Steele, Lea, Flood, 2014). For one thread. */
public final class SeededRandom {
    private static final long GAMMA = 0x9e3779b97f4a7c15L;

    private long state;

    public SeededRandom(long seed) {
        state = seed;
    }

    /** Returns the random numbers of one event in the history of a seed. They do not depend on the events before it. */
    public static SeededRandom of(long seed, long event) {
        return new SeededRandom(mix(seed * GAMMA + mix(event)));
    }

    public long nextLong() {
        state += GAMMA;
        return mix(state);
    }

    /** Returns a number from 0 to {@code bound} - 1. */
    public int below(int bound) {
        return (int) Math.floorMod(nextLong(), (long) bound);
    }

    /** Returns a number from {@code from} to {@code to}, both included. */
    public long between(long from, long to) {
        return from + Math.floorMod(nextLong(), to - from + 1);
    }

    /** Returns true in {@code cases} of 1,000 cases. */
    public boolean perMille(int cases) {
        return below(1_000) < cases;
    }

    @SafeVarargs
    public final <T> T oneOf(T... choices) {
        return choices[below(choices.length)];
    }

    /** Returns a hash of a number: each bit of the input affects all bits of the result. */
    public static long mix(long z) {
        long y = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        y = (y ^ (y >>> 27)) * 0x94d049bb133111ebL;
        return y ^ (y >>> 31);
    }
}
