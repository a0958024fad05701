package dev.jitney.testing.client;

import java.util.Random;

/**
 * A cheap source of bytes that do not compress: a different part of one random pool for each message. With equal bodies the
 * store would seem faster and smaller than it is, because it compresses. Immutable.
 */
public final class Noise {
    private static final int POOL_BYTES = 8 << 20;
    private static final int STEP_BYTES = 7_919;

    private static final byte[] POOL = new byte[POOL_BYTES];

    static {
        new Random(1).nextBytes(POOL);
    }

    private Noise() {}

    /** Fills a part of an array of at most 1 MiB with the bytes for a number. */
    public static void fill(byte[] target, int from, int length, long number) {
        int room = POOL_BYTES - length;
        System.arraycopy(POOL, (int) Math.floorMod(number * STEP_BYTES, (long) room), target, from, length);
    }
}
