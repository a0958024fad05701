package dev.jitney.core;

import java.util.UUID;

/**
 * Lock tokens derived from a seed that came from outside, so that decisions stay repeatable (LOCK-4). The seed has to
 * be random; two sequences with different seeds practically never meet.
 */
public final class LockTokenSequence {
    private static final long GAMMA = 0x9e3779b97f4a7c15L;

    private long high;
    private long low;

    public LockTokenSequence(long seedHigh, long seedLow) {
        this.high = seedHigh;
        this.low = seedLow;
    }

    /** The next token, a version 4 UUID in form. */
    public UUID next() {
        high += GAMMA;
        low += GAMMA;
        long h = mix(high);
        long l = mix(low ^ h);
        return new UUID((h & ~0xf000L) | 0x4000L, (l & 0x3fffffffffffffffL) | 0x8000000000000000L);
    }

    // Finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
