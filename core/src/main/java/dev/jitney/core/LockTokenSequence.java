package dev.jitney.core;

import java.util.UUID;

/**
 * A sequence of lock tokens derived from an external seed, so that decisions are repeatable (LOCK-4). The seed must be
 * random; two sequences with different seeds practically never produce the same token.
 */
public final class LockTokenSequence {
    private static final long GAMMA = 0x9e3779b97f4a7c15L;

    private long high;
    private long low;

    public LockTokenSequence(long seedHigh, long seedLow) {
        this.high = seedHigh;
        this.low = seedLow;
    }

    /** Returns the next token, which has the form of a version 4 UUID. */
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
